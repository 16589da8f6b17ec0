import { useId } from "preact/hooks";
import { useTyped } from "../../../ui/use-typed.js";
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
  const [typed, setTyped] = useTyped(value);
  const take = (input: HTMLInputElement) => {
    const next = input.value === "" ? undefined : input.valueAsNumber;
    const made = input.checkValidity() ? next : value;
    setTyped(input.value, made);
    if (made !== value) onChange(made);
  };
  return (
    <Row id={id} label={label}>
      <input
        id={id}
        class="input small"
        type="number"
        {...{ min, max, step, placeholder }}
        value={typed ?? value ?? ""}
        onInput={({ currentTarget }) => take(currentTarget)}
        onBlur={() => setTyped(null, value)}
      />
    </Row>
  );
}
