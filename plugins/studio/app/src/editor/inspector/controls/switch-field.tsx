import { useId } from "preact/hooks";
import { Row } from "./row.js";

interface SwitchFieldProps {
  label: string;
  value: boolean;
  hint?: string;
  onChange: (value: boolean) => void;
}

/** Yes or no. */
export function SwitchField({
  label,
  value,
  hint,
  onChange,
}: SwitchFieldProps) {
  const id = useId();
  return (
    <Row id={id} label={label} hint={hint}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        class="switch"
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </Row>
  );
}
