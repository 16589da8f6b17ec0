import { useId } from "preact/hooks";
import { useEditor } from "../model/editor-context.js";
import type { PathOption } from "../scope/field-options.js";
import { asWords } from "../scope/path-text.js";
import { type PathUse, pathOptions } from "../scope/scopes.js";

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
  const isKnown = options.some(({ path }) => path === value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input small"
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {value === "" && <option value="">Choose…</option>}
        {!isKnown && value !== "" && (
          <option value={value}>{asWords(value)}</option>
        )}
        {grouped(options).map(([from, members]) => (
          <optgroup label={from} key={from}>
            {members.map(({ path, label: words, sample }) => (
              <option value={path} key={path}>
                {sample === "" ? words : `${words} (${sample})`}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function isValue({ kind }: PathOption): boolean {
  return kind !== "list" && kind !== "record";
}

function grouped(options: readonly PathOption[]): [string, PathOption[]][] {
  const groups = new Map<string, PathOption[]>();
  for (const option of options)
    groups.set(option.from, [...(groups.get(option.from) ?? []), option]);
  return [...groups];
}
