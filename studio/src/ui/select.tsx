import { useId } from "preact/hooks";

export interface SelectProps<T extends string> {
  /** For the `<label>`. */
  id?: string;
  /** Accessible name of a select without a `<label>`. */
  label?: string;
  /** The size of an input in a form; small by default. */
  isLarge?: boolean;
  /** A value that is not an option is shown as it is. */
  value: string | undefined;
  options: readonly (readonly [value: T, words: string])[];
  /** Label of the option for no value; without it, the value cannot be removed. */
  none?: string | undefined;
  isRequired?: boolean;
  /** The id of the element that explains it. */
  describedBy?: string | undefined;
  onChange: (value: T | undefined) => void;
}

export function Select<T extends string>({
  id,
  label,
  isLarge = false,
  value = "",
  options,
  none,
  isRequired,
  describedBy,
  onChange,
}: SelectProps<T>) {
  const isListed = value === "" || options.some(([option]) => option === value);
  return (
    <select
      id={id}
      class={isLarge ? "input" : "input small"}
      aria-label={label}
      aria-describedby={describedBy}
      required={isRequired}
      value={value}
      onChange={({ currentTarget }) =>
        onChange(
          options.find(([option]) => option === currentTarget.value)?.[0],
        )
      }
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map(([option, words]) => (
        <option value={option} key={option}>
          {words}
        </option>
      ))}
      {!isListed && <option value={value}>{value}</option>}
    </select>
  );
}

interface LabeledSelectProps<T extends string> extends Omit<
  SelectProps<T>,
  "describedBy" | "isLarge"
> {
  label: string;
  hint?: string;
}

export function LabeledSelect<T extends string>(props: LabeledSelectProps<T>) {
  const ownId = useId();
  const { label, hint, id = ownId, ...select } = props;
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select {...select} id={id} isLarge describedBy={hintId} />
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}
