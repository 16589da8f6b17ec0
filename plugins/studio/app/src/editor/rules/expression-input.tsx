import { useEffect, useState } from "preact/hooks";

interface ExpressionInputProps {
  label: string;
  value: string;
  onChange: (source: string) => void;
}

/** A formula that no choice can show, as it is written; taken over when the field is left. */
export function ExpressionInput({
  label,
  value,
  onChange,
}: ExpressionInputProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const settle = () => {
    if (typed.trim() === "") setTyped(value);
    else if (typed !== value) onChange(typed);
  };
  return (
    <input
      class="input small rule-source"
      aria-label={label}
      title={value}
      spellcheck={false}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={settle}
      onKeyDown={({ key }) => {
        if (key === "Enter") settle();
      }}
    />
  );
}
