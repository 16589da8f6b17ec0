import type { Editor } from "../model/editor.js";
import { jsonPathOf } from "../model/tree.js";

/** What the checker last said, by component. */
export function problemMarks(editor: Editor): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  const problems = editor.facts.value?.problems ?? [];
  if (problems.length === 0) return marks;
  // As it was when the answer came: to look again at each change would cost more than it tells.
  const entries = editor.tree.peek().entries.values();
  const ids = new Map(
    Array.from(entries, ({ id, path }) => [jsonPathOf(path), id] as const),
  );
  for (const { path, message } of problems) {
    const id = innermost(ids, path);
    if (id !== null && !marks.has(id)) marks.set(id, message);
  }
  return marks;
}

function innermost(
  ids: ReadonlyMap<string, string>,
  jsonPath: string,
): string | null {
  for (let path = jsonPath; path !== "";) {
    const id = ids.get(path);
    if (id !== undefined) return id;
    path = path.slice(
      0,
      Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0),
    );
  }
  return null;
}
