import { useId, useState } from "preact/hooks";
import type { Json } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";

interface SampleSourceProps {
  onChange: (sample: Json, thread: string) => void;
}

/** The sample as programs write it; it is taken over whenever it is sound. */
export function SampleSource({ onChange }: SampleSourceProps) {
  const id = useId();
  const editor = useEditor();
  const [typed, setTyped] = useState(() =>
    JSON.stringify(editor.definition.peek().sample ?? {}, null, 2),
  );
  const fault = faultOf(typed);
  return (
    <div class="field">
      <label for={id}>The record</label>
      <textarea
        id={id}
        class="input sample-source"
        spellcheck={false}
        readOnly={!editor.mayEdit}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          const record = recordIn(value);
          if (record) onChange(record, "sample-source");
        }}
        onBlur={() => editor.endThread()}
      />
      <span class="fault" id={`${id}-fault`} role="status">
        {fault}
      </span>
    </div>
  );
}

/** Null for what is no record. */
function recordIn(text: string): { [key: string]: Json } | null {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord =
      typeof value === "object" && value !== null && !Array.isArray(value);
    // Whatever was parsed is JSON.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return isRecord ? (value as { [key: string]: Json }) : null;
  } catch {
    return null;
  }
}

function faultOf(text: string): string | null {
  try {
    JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `Not taken over yet: ${why}`;
  }
  return recordIn(text)
    ? null
    : "Not taken over yet: a record begins with { and ends with }.";
}
