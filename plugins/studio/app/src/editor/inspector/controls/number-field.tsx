import { useId } from "preact/hooks";
import { Row } from "./row.js";

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  min?: number;
  max?: number;
  step?: number;
  placeholder?: string;
  /** Undefined takes it away; a number out of bounds is not taken. */
  onChange: (value: number | undefined) => void;
}

/** A number within bounds. */
export function NumberField({
  label,
  value,
  min,
  max,
  step = 1,
  placeholder,
  onChange,
}: NumberFieldProps) {
  const id = useId();
  const take = (input: HTMLInputElement) => {
    if (input.value === "") onChange(undefined);
    else if (input.checkValidity()) onChange(input.valueAsNumber);
  };
  return (
    <Row id={id} label={label}>
      <input
        id={id}
        class="input small"
        type="number"
        {...{ min, max, step, placeholder }}
        value={value ?? ""}
        onInput={({ currentTarget }) => take(currentTarget)}
      />
    </Row>
  );
}
