import { useId } from "preact/hooks";
import { useTyped } from "../../../ui/form.js";
import { isChip } from "../model/template-parts.js";

interface FormulaFieldProps {
  /** The expression, without its braces. */
  source: string;
  /** Called with a whole chip. */
  onChange: (source: string) => void;
}

/** An expression as it is written, for those who want to. */
export function FormulaField({ source, onChange }: FormulaFieldProps) {
  const id = useId();
  const [typed, setTyped] = useTyped(source);
  const take = (text: string) => {
    const next = text.trim();
    const chip = `{{ ${next} }}`;
    const isSound = next !== "" && isChip(chip);
    setTyped(text, isSound ? next : source);
    if (isSound) onChange(chip);
  };
  return (
    <div class="field">
      <label for={id}>Formula</label>
      <textarea
        id={id}
        class="input formula-field"
        rows={2}
        spellcheck={false}
        value={typed ?? source}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
    </div>
  );
}
