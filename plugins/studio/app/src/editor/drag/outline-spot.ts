import type { Editor } from "../model/editor.js";
import { type Entry, type ListKey, listKey, type Spot } from "../model/tree.js";

/** The place that a point on a line of the outline means: before it, in it or after it, or after what is around it. */
export function outlineSpot(
  editor: Editor,
  under: Element,
  y: number,
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
  const line = under.closest("[role=treeitem]");
  if (!line) return null;
  const { entries } = editor.tree.peek();
  const entry = entries.get(line.getAttribute("data-row") ?? "");
  if (!entry) {
    const list = line.getAttribute("data-row-list") ?? "";
    return mayDrop(list) ? { list, index: 0 } : null;
  }
  const { top, height } = line.getBoundingClientRect();
  const isOpen = line.getAttribute("aria-expanded") === "true";
  const wished = wishes(editor, entry, (y - top) / height, isOpen);
  return (
    wished.find(({ list }) => mayDrop(list)) ?? around(editor, entry, mayDrop)
  );
}

/** The nearest first. */
function wishes(
  editor: Editor,
  { id, spot }: Entry,
  part: number,
  isOpen: boolean,
): Spot[] {
  const inner = editor.tree.peek().lists.get(listKey(id, "components"));
  const before = spot;
  const after = { list: spot.list, index: spot.index + 1 };
  const first = inner && { list: inner.key, index: 0 };
  const last = inner && { list: inner.key, index: inner.components.length };
  if (part < 0.3) return [before, ...(last ? [last] : [])];
  if (part > 0.7)
    return [
      ...(isOpen && first ? [first] : []),
      after,
      ...(last ? [last] : []),
    ];
  return [...(last ? [last] : []), part < 0.5 ? before : after];
}

function around(
  editor: Editor,
  entry: Entry,
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
  const { entries } = editor.tree.peek();
  for (let one = entries.get(entry.parentId ?? ""); one;) {
    const { list, index } = one.spot;
    if (mayDrop(list)) return { list, index: index + 1 };
    one = entries.get(one.parentId ?? "");
  }
  return null;
}
