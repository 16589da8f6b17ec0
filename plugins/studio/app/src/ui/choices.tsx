import { useId } from "preact/hooks";

interface ChoicesProps<T extends string> {
  legend: string;
  options: readonly (readonly [value: T, words: string])[];
  value: T;
  onChoose: (value: T) => void;
}

/** A segmented control: radio buttons side by side. */
export function Choices<T extends string>({
  legend,
  options,
  value,
  onChoose,
}: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend class="hidden-text">{legend}</legend>
      {options.map(([one, words]) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            value={one}
            checked={one === value}
            onChange={() => onChoose(one)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
