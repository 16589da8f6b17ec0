import { useEditor } from "../model/editor-context.js";

interface ExpressionInputProps {
  label: string;
  value: string;
  onChange: (source: string) => void;
}

/** An expression that no choice can show, as it is written. */
export function ExpressionInput({
  label,
  value,
  onChange,
}: ExpressionInputProps) {
  const editor = useEditor();
  return (
    <input
      class="input small rule-source"
      aria-label={label}
      title={value}
      spellcheck={false}
      value={value}
      onInput={({ currentTarget }) => {
        if (currentTarget.value.trim() !== "") onChange(currentTarget.value);
      }}
      onBlur={() => editor.endThread()}
    />
  );
}
