import { useId, useState } from "preact/hooks";
import type { Json } from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { Suggestions } from "./suggestions.js";
import { inputType, writtenValue } from "./value-input.js";
import type { ValueKind } from "./value-kind.js";

interface TokenInputProps {
  kind: ValueKind;
  values: readonly Json[];
  examples: readonly (string | number)[];
  onChange: (values: Json[]) => void;
}

/** Several values: each is added with Enter, a comma, or by leaving the field. */
export function TokenInput({
  kind,
  values,
  examples,
  onChange,
}: TokenInputProps) {
  const list = useId();
  const [typed, setTyped] = useState("");
  const taken = values.map(writtenValue);
  const add = () => {
    const text = typed.trim();
    setTyped("");
    if (text === "" || taken.includes(text)) return;
    onChange([...values, valueOf(kind, text)]);
  };
  const left = examples.filter((one) => !taken.includes(String(one)));
  return (
    <div class="rule-tokens">
      {values.map((one, index) => (
        <Token
          words={writtenValue(one)}
          onTake={() => onChange(values.filter((_one, at) => at !== index))}
          key={index}
        />
      ))}
      <input
        class="input small"
        aria-label="Add a value"
        placeholder="Add a value"
        list={list}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => isEnd(event) && add()}
      />
      <Suggestions id={list} values={left} />
    </div>
  );
}

/** A key that ends one value; it is no letter of the next. */
function isEnd(event: KeyboardEvent): boolean {
  const ends = event.key === "Enter" || event.key === ",";
  if (ends) event.preventDefault();
  return ends;
}

function Token({ words, onTake }: { words: string; onTake: () => void }) {
  return (
    <span class="rule-token">
      {words}
      <button type="button" aria-label={`Take ${words} away`} onClick={onTake}>
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}

function valueOf(kind: ValueKind, text: string): Json {
  return inputType(kind, text) === "number" ? Number(text) : text;
}
