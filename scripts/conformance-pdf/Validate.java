import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/**
 * Validates the files that the standard input lists, each on a line with its flavour: `3a<TAB>/path/to.pdf`. Writes a line
 * for each in the same order: `ok`, or what is wrong.
 */
public class Validate {
  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    VeraGreenfieldFoundryProvider.initialise();
    BufferedReader lines = new BufferedReader(
      new InputStreamReader(System.in, StandardCharsets.UTF_8)
    );
    for (String line; (line = lines.readLine()) != null; ) {
      String[] parts = line.split("\t", 2);
      System.out.println(validate(PDFAFlavour.fromString(parts[0]), new File(parts[1])));
    }
  }

  private static String validate(PDFAFlavour flavour, File file) {
    try (
      PDFAParser parser = Foundries.defaultInstance().createParser(file, flavour);
      PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, 1, false, true, false)
    ) {
      ValidationResult result = validator.validate(parser);
      if (result.isCompliant()) return "ok";
      StringBuilder found = new StringBuilder();
      for (TestAssertion one : result.getTestAssertions())
        found.append(one.getRuleId().getClause()).append('-').append(one.getRuleId().getTestNumber())
          .append(": ").append(one.getMessage()).append(" (").append(one.getLocation().getContext()).append("); ");
      return found.toString().replaceAll("\\s+", " ");
    } catch (Exception error) {
      return "not readable: " + error.toString().replaceAll("\\s+", " ");
    }
  }
}
