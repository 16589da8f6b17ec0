import { useEffect, useId, useState } from "preact/hooks";
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
  const [typed, setTyped] = useState(source);
  useEffect(() => setTyped(source), [source]);
  const take = (text: string) => {
    setTyped(text);
    const chip = `{{ ${text.trim()} }}`;
    if (text.trim() !== "" && isChip(chip)) onChange(chip);
  };
  return (
    <div class="field">
      <label for={id}>Formula</label>
      <textarea
        id={id}
        class="input formula-field"
        rows={2}
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
    </div>
  );
}
