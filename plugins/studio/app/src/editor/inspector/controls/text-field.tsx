import { useId } from "preact/hooks";
import { Row } from "./row.js";

interface TextFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  hint?: string;
  /** Called for each keystroke. */
  onChange: (value: string) => void;
  /** The person has gone elsewhere. */
  onLeave?: () => void;
}

/** Plain words, without data in them. */
export function TextField({
  label,
  value,
  placeholder,
  hint,
  onChange,
  onLeave,
}: TextFieldProps) {
  const id = useId();
  return (
    <Row id={id} label={label} hint={hint}>
      <input
        id={id}
        class="input small"
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={onLeave}
      />
    </Row>
  );
}
