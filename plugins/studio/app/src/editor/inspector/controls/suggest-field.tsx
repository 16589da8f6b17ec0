import { useId } from "preact/hooks";
import { useTyped } from "../../../ui/use-typed.js";
import { Row } from "./row.js";
import { Suggestions } from "./suggestions.js";

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

const advice = "Choose one of the list.";

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
  const [typed, setTyped] = useTyped(value);
  const isWrong = typed !== null && typed !== "" && !isSound(typed);
  const take = (text: string) => {
    const made = text === "" ? undefined : isSound(text) ? text : value;
    setTyped(text, made);
    if (made !== value) onChange(made);
  };
  return (
    <Row id={id} label={label} hint={isWrong ? advice : undefined}>
      <input
        id={id}
        class="input small"
        list={list}
        spellcheck={false}
        aria-invalid={isWrong}
        value={typed ?? value ?? ""}
        placeholder={placeholder}
        onInput={({ currentTarget }) => take(currentTarget.value.trim())}
        onBlur={() => setTyped(null, value)}
      />
      <Suggestions id={list} options={options} />
    </Row>
  );
}
