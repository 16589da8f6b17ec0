import { useId } from "preact/hooks";
import type { Json } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { Suggestions } from "./suggestions.js";
import type { ValueKind } from "./value-kind.js";

interface ValueInputProps {
  label: string;
  kind: ValueKind;
  value: Json | undefined;
  /** Suggested while something is typed. */
  examples: readonly (string | number)[];
  onChange: (value: Json) => void;
}

/** A value of a kind; what is of another kind stays as text until it is changed. */
export function ValueInput({
  label,
  kind,
  value,
  examples,
  onChange,
}: ValueInputProps) {
  const editor = useEditor();
  const list = useId();
  const written = writtenValue(value);
  const type = inputType(kind, written);
  return (
    <>
      <input
        class="input small"
        aria-label={label}
        placeholder={type === "number" ? "0" : "Value"}
        type={type}
        step={type === "number" ? "any" : undefined}
        list={type === "date" ? undefined : list}
        value={written}
        onInput={({ currentTarget }) => onChange(readValue(currentTarget))}
        onBlur={() => editor.endThread()}
      />
      {type !== "date" && <Suggestions id={list} values={examples} />}
    </>
  );
}

/** A field can show no more than its kind of text: what does not fit is shown as text. */
export function inputType(kind: ValueKind, written: string) {
  const isEmpty = written === "";
  if (kind === "number" && (isEmpty || !Number.isNaN(Number(written))))
    return "number";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written);
  return kind === "date" && (isEmpty || isDay) ? "date" : "text";
}

function readValue({ type, value, valueAsNumber }: HTMLInputElement): Json {
  return type === "number" && value !== "" ? valueAsNumber : value;
}

export function writtenValue(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
