import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { toast } from "../ui/toast.js";

interface FormulaShownProps {
  /** Into which kind of field. */
  where: string;
  formula: string;
}

/** A text to be copied. */
export function FormulaShown({ where, formula }: FormulaShownProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(formula);
    toast("Copied.");
  };
  return (
    <figure class="formula-shown">
      <figcaption class="small muted">{where}</figcaption>
      <div class="formula-row">
        <code class="command secret" tabIndex={0}>
          {formula}
        </code>
        <Button label={`Copy: ${where}`} onPress={copy}>
          <Icon name="copy" />
          Copy
        </Button>
      </div>
    </figure>
  );
}
