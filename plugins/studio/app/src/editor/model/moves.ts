import { catalogEntry } from "./catalog.js";
import { moveComponent } from "./edits.js";
import type { Editor } from "./editor.js";
import { mayStand } from "./placement.js";
import { placeWords } from "./place-words.js";
import type { Entry, ListKey, Spot } from "./tree.js";

/** Among its neighbours, out of what is around it, or into what stands beside it. */
export type Way = "up" | "down" | "out" | "in";

/** Moves a component one step, and says in words where it is now or that it stays. */
export function moveTowards(editor: Editor, id: string, way: Way): string {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry || !editor.mayEdit) return "You may look at this template only.";
  const { words } = catalogEntry(entry.component.type);
  const spot = spotTowards(editor, entry, way);
  if (!spot) return `${words} stays: ${reasons[way]}`;
  moveComponent(editor, id, spot);
  return `${words} moved ${placeWords(editor, id, entry.spot.list)}`;
}

const reasons: Readonly<Record<Way, string>> = {
  up: "it is the first here",
  down: "it is the last here",
  out: "nothing around it lets it out",
  in: "nothing beside it takes it in",
};

function spotTowards(editor: Editor, entry: Entry, way: Way): Spot | null {
  const { list, index } = entry.spot;
  const length = editor.tree.peek().lists.get(list)?.components.length ?? 0;
  if (way === "up") return index > 0 ? { list, index: index - 1 } : null;
  if (way === "down")
    return index < length - 1 ? { list, index: index + 2 } : null;
  return way === "out" ? outside(editor, entry) : beside(editor, entry);
}

function outside(editor: Editor, entry: Entry): Spot | null {
  const { entries } = editor.tree.peek();
  let around = entry.parentId === null ? null : entries.get(entry.parentId);
  while (around) {
    const { list, index } = around.spot;
    if (mayStand(editor, entry.component.type, list))
      return { list, index: index + 1 };
    around = around.parentId === null ? null : entries.get(around.parentId);
  }
  return null;
}

/** Into the end of what stands before it, else into the beginning of what follows. */
function beside(editor: Editor, entry: Entry): Spot | null {
  const { entries, lists } = editor.tree.peek();
  const { list, index } = entry.spot;
  const siblings = lists.get(list)?.components ?? [];
  const { type } = entry.component;
  for (const [step, isEnd] of [
    [-1, true],
    [1, false],
  ] as const) {
    const neighbour = entries.get(siblings[index + step]?.id ?? "");
    const inner = neighbour && listWithin(editor, neighbour, type);
    if (inner === undefined || inner === null) continue;
    const length = lists.get(inner)?.components.length ?? 0;
    return { list: inner, index: isEnd ? length : 0 };
  }
  return null;
}

/** The first list in a component, at any depth, where a type may stand. */
function listWithin(
  editor: Editor,
  { id, component }: Entry,
  type: Entry["component"]["type"],
): ListKey | null {
  const key = `${id}/components`;
  const list = editor.tree.peek().lists.get(key);
  // Words of a cell are seldom meant to get company.
  const hasWords = "text" in component && component.text !== undefined;
  if (!list || hasWords) return null;
  if (mayStand(editor, type, key)) return key;
  for (const child of list.components) {
    const entry = editor.tree.peek().entries.get(child.id ?? "");
    const inner = entry ? listWithin(editor, entry, type) : null;
    if (inner) return inner;
  }
  return null;
}
