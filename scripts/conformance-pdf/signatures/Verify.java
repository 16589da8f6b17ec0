import eu.europa.esig.dss.diagnostic.jaxb.XmlSignatureScope;
import eu.europa.esig.dss.enumerations.Indication;
import eu.europa.esig.dss.enumerations.SignatureScopeType;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Verifies the only signature of each file that the standard input lists, one path on a line. Trusts the certificates whose
 * paths are the arguments, and no others. Writes a line for each file in the same order: the level of the signature, such as
 * `PAdES-BASELINE-B`, or what is wrong.
 */
public class Verify {
  public static void main(String[] arguments) throws Exception {
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    for (String path : arguments) trusted.addCertificate(DSSUtils.loadCertificate(new File(path)));
    BufferedReader lines = new BufferedReader(
      new InputStreamReader(System.in, StandardCharsets.UTF_8)
    );
    for (String path; (path = lines.readLine()) != null; ) {
      CommonCertificateVerifier verifier = new CommonCertificateVerifier();
      verifier.setTrustedCertSources(trusted);
      System.out.println(verify(verifier, new File(path)));
    }
  }

  private static String verify(CommonCertificateVerifier verifier, File file) {
    try {
      SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(file));
      validator.setCertificateVerifier(verifier);
      Reports reports = validator.validateDocument();
      SimpleReport report = reports.getSimpleReport();
      if (report.getSignaturesCount() != 1) return report.getSignaturesCount() + " signatures";
      String id = report.getFirstSignatureId();
      if (report.getIndication(id) != Indication.TOTAL_PASSED)
        return report.getIndication(id) + " " + report.getSubIndication(id) + ": " +
          list(report.getAdESValidationErrors(id)) + list(report.getAdESValidationWarnings(id));
      for (XmlSignatureScope scope : reports.getDiagnosticData().getSignatureById(id).getSignatureScopes())
        if (scope.getScope() != SignatureScopeType.FULL) return "not the whole file is signed";
      return report.getSignatureFormat(id).toString();
    } catch (Exception error) {
      return "not readable: " + error.toString().replaceAll("\\s+", " ");
    }
  }

  private static String list(List<Message> messages) {
    return messages.stream().map(message -> message.getValue() + "; ").collect(Collectors.joining());
  }
}
