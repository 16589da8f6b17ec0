import { useTyped } from "../../ui/form.js";

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
  const [typed, setTyped] = useTyped(value);
  const settle = () => {
    setTyped(null, value);
    const isNew = typed !== null && typed.trim() !== "" && typed !== value;
    if (isNew) onChange(typed);
  };
  return (
    <input
      class="input small rule-source"
      aria-label={label}
      title={value}
      spellcheck={false}
      value={typed ?? value}
      onInput={({ currentTarget }) => setTyped(currentTarget.value, value)}
      onBlur={settle}
      onKeyDown={({ key }) => {
        if (key === "Enter") settle();
      }}
    />
  );
}
