import { useEffect, useId, useState } from "preact/hooks";
import { Row } from "./row.js";

interface SuggestFieldProps {
  label: string;
  value: string | undefined;
  placeholder: string;
  options: readonly (readonly [value: string, words: string])[];
  /** What may be written beside the suggestions. */
  isSound: (text: string) => boolean;
  /** Called with what is sound alone; undefined takes it away. */
  onChange: (value: string | undefined) => void;
}

/** A short word of many, typed with suggestions. */
export function SuggestField({
  label,
  value,
  placeholder,
  options,
  isSound,
  onChange,
}: SuggestFieldProps) {
  const id = useId();
  const list = useId();
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (value !== typed) setTyped(null);
  }, [value]);
  const isWrong = typed !== null && typed !== "" && !isSound(typed);
  const take = (text: string) => {
    setTyped(text);
    if (text === "") onChange(undefined);
    else if (isSound(text)) onChange(text);
  };
  return (
    <Row
      id={id}
      label={label}
      hint={isWrong ? "Choose one of the list." : undefined}
    >
      <input
        id={id}
        class="input small"
        list={list}
        spellcheck={false}
        aria-invalid={isWrong}
        value={typed ?? value ?? ""}
        placeholder={placeholder}
        onInput={({ currentTarget }) => take(currentTarget.value.trim())}
        onBlur={() => setTyped(null)}
      />
      <datalist id={list}>
        {options.map(([one, words]) => (
          <option value={one} key={one}>
            {words}
          </option>
        ))}
      </datalist>
    </Row>
  );
}
