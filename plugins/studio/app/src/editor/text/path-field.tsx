import { useId } from "preact/hooks";
import { useEditor } from "../model/editor-context.js";
import type { PathOption } from "../scope/field-options.js";
import { type PathUse, pathOptions } from "../scope/scopes.js";
import { PathChoice } from "./path-choice.js";

interface PathFieldProps {
  label: string;
  value: string;
  /** The component for which it is chosen; null for the page's own. */
  owner: string | null;
  /** A list to go through, or a value. */
  kind: "list" | "value";
  onChange: (path: string) => void;
  /** What the path is for; a list is a collection's own unless said otherwise. */
  use?: PathUse;
  hint?: string;
}

/** Chooses one of the paths that mean something at a component, by their names. */
export function PathField({
  label,
  value,
  owner,
  kind,
  onChange,
  use = kind === "list" ? "collection" : "content",
  hint,
}: PathFieldProps) {
  const id = useId();
  const editor = useEditor();
  const options = pathOptions(editor, owner, use).filter((option) =>
    kind === "list" ? option.kind === "list" : isValue(option),
  );
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <PathChoice
        id={id}
        value={value}
        options={options}
        describedBy={hintId}
        onChange={onChange}
      />
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}

function isValue({ kind }: PathOption): boolean {
  return kind !== "list" && kind !== "record";
}
