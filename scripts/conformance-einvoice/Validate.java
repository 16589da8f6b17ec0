import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.mustangproject.validator.ESeverity;
import org.mustangproject.validator.ZUGFeRDValidator;

/**
 * Validates every file of a folder in one virtual machine: XML files and PDFs with Mustang's validator, files whose name
 * begins with "peppol" also with the rules of OpenPeppol, and the French blueprint with those of the French reform. Prints a line for each invalid file, then the count.
 */
class Validate {
  /** The rules of the French reform (BR-FR), in Mustang's validator, which does not apply them by itself. */
  private static final String FRENCH = "xslt/XP_Z12_012/20260216_BR-FR-Flux2-Schematron-CII_V1.3.0.xsl";
  private static final String PEPPOL = "external/schematron/openpeppol/2026.5/xslt/";
  private static final ConcurrentHashMap<String, Templates> STYLE_SHEETS = new ConcurrentHashMap<>();

  public static void main(String[] args) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(args[0]))) {
      files = all.sorted().toList();
    }
    List<String> invalid = files.parallelStream().map(Validate::describe).filter(line -> line != null).toList();
    invalid.forEach(System.out::println);
    System.out.println((files.size() - invalid.size()) + " valid, " + invalid.size() + " invalid");
    System.exit(invalid.isEmpty() ? 0 : 1);
  }

  /** Null for a valid file. */
  private static String describe(Path file) {
    List<String> problems = new ArrayList<>();
    try {
      validateWithMustang(file, problems);
      String name = file.getFileName().toString();
      if (name.startsWith("peppol")) {
        validateWithRules(file, PEPPOL + "CEN-EN16931-UBL.xslt", problems);
        validateWithRules(file, PEPPOL + "PEPPOL-EN16931-UBL.xslt", problems);
      }
      if (name.equals("factur-x-en16931-french-invoice.xml")) validateWithRules(file, FRENCH, problems);
    } catch (Exception | Error error) {
      problems.add(error.toString());
    }
    return problems.isEmpty() ? null : "INVALID " + file.getFileName() + ": " + String.join("; ", problems);
  }

  private static void validateWithMustang(Path file, List<String> problems) throws Exception {
    ZUGFeRDValidator validator = new ZUGFeRDValidator();
    validator.disableNotices();
    // Mustang's own arithmetic, beyond the schematron, cannot read lines without a rate: those outside of the scope of VAT.
    boolean isXml = file.toString().endsWith(".xml");
    if (isXml && Files.readString(file).contains("<ram:CategoryCode>O<")) validator.disableArithmeticCheck();
    String report = validator.validate(file.toString());
    for (var item : validator.getContext().getResults())
      if (item.getSeverity() != ESeverity.notice && item.getSeverity() != ESeverity.warning)
        problems.add(item.getMessage() + " " + item.getLocation());
    if (problems.isEmpty() && !validator.wasCompletelyValid()) problems.add(report);
  }

  private static void validateWithRules(Path file, String rules, List<String> problems) throws Exception {
    StringWriter report = new StringWriter();
    getStyleSheet(rules).newTransformer().transform(new StreamSource(file.toFile()), new StreamResult(report));
    var factory = javax.xml.parsers.DocumentBuilderFactory.newInstance();
    var source = new org.xml.sax.InputSource(new StringReader(report.toString()));
    var failed = factory.newDocumentBuilder().parse(source).getElementsByTagName("svrl:failed-assert");
    for (int index = 0; index < failed.getLength(); index += 1) {
      var assertion = (org.w3c.dom.Element) failed.item(index);
      // The French rules call all that they require a warning.
      if (rules.equals(FRENCH) || !"warning".equals(assertion.getAttribute("flag")))
        problems.add(assertion.getTextContent().trim() + " " + assertion.getAttribute("location"));
    }
  }

  private static Templates getStyleSheet(String rules) {
    return STYLE_SHEETS.computeIfAbsent(rules, name -> {
      try {
        var url = Validate.class.getClassLoader().getResource(name);
        TransformerFactory factory = TransformerFactory.newInstance("net.sf.saxon.TransformerFactoryImpl", null);
        return factory.newTemplates(new StreamSource(url.openStream(), url.toString()));
      } catch (Exception error) {
        throw new IllegalStateException("The rules " + name + " cannot be compiled.", error);
      }
    });
  }
}
