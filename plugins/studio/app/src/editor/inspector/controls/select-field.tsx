import { useId } from "preact/hooks";
import { Row } from "./row.js";

interface SelectFieldProps<T extends string> {
  label: string;
  value: T | undefined;
  options: readonly (readonly [value: T, words: string])[];
  /** What stands there while nothing is chosen; makes "nothing" a choice. */
  none?: string;
  onChange: (value: T | undefined) => void;
}

/** One of a closed list. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  none,
  onChange,
}: SelectFieldProps<T>) {
  const id = useId();
  return (
    <Row id={id} label={label}>
      <select
        id={id}
        class="input small"
        value={value ?? ""}
        onChange={({ currentTarget }) =>
          onChange(options.find(([one]) => one === currentTarget.value)?.[0])
        }
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([one, words]) => (
          <option value={one} key={one}>
            {words}
          </option>
        ))}
      </select>
    </Row>
  );
}
