import { useId } from "preact/hooks";
import { Row } from "./row.js";

interface TemplateRowProps {
  label: string;
  value: string;
  /** The component whose scope its variables have; null for the record alone. */
  owner: string | null;
  placeholder?: string;
  hint?: string | undefined;
  isMultiline?: boolean;
  onChange: (value: string) => void;
}

/** Words with data in them. */
export function TemplateRow({
  label,
  value,
  placeholder,
  hint,
  onChange,
}: TemplateRowProps) {
  const id = useId();
  return (
    <Row id={id} label={label} hint={hint}>
      <input
        id={id}
        class="input small"
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Row>
  );
}
