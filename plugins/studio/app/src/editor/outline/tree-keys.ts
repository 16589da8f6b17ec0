import type { ReadonlySignal } from "@preact/signals";
import { plainKey } from "../commands/chord.js";
import { isBandName } from "../model/edits.js";
import type { Editor } from "../model/editor.js";
import type { OutlineRow } from "./outline-rows.js";
import { rowPhrase } from "./row-words.js";
import type { LineActions } from "./use-outline.js";

interface TreeAt {
  editor: Editor;
  rows: ReadonlySignal<readonly OutlineRow[]>;
  /** The line that the keys are at; -1 for none. */
  at: number;
  actions: LineActions;
}

/** The keys of a tree as ARIA's pattern has them; what is not of them is left to the editor. */
export function treeKey(event: KeyboardEvent, tree: TreeAt): void {
  const key = plainKey(event);
  if (key === null) return;
  const done = isLetter(key) ? toLetter(tree, key) : keys[key]?.(tree);
  if (done) event.preventDefault();
}

/** Each says true when it took the key. */
const keys: Readonly<Record<string, (tree: TreeAt) => boolean>> = {
  ArrowDown: (tree) =>
    go(tree, Math.min(tree.at + 1, tree.rows.value.length - 1)),
  ArrowUp: (tree) => go(tree, Math.max(tree.at - 1, 0)),
  Home: (tree) => go(tree, 0),
  End: (tree) => go(tree, tree.rows.value.length - 1),
  ArrowRight: (tree) => {
    const row = tree.rows.value[tree.at];
    if (row?.isOpen === false) tree.actions.turn(row);
    else if (row?.isOpen) go(tree, tree.at + 1);
    return true;
  },
  ArrowLeft: (tree) => {
    const row = tree.rows.value[tree.at];
    if (row?.isOpen) tree.actions.turn(row);
    else if (row) go(tree, parentIndex(tree, row));
    return true;
  },
  Delete: removeBand,
  Backspace: removeBand,
};

function go({ rows, actions }: TreeAt, index: number): boolean {
  actions.choose(rows.value[index]);
  return true;
}

function removeBand({ rows, at, actions }: TreeAt): boolean {
  const row = rows.value[at];
  if (!row || !isBandName(row.key)) return false;
  actions.remove?.(row);
  return true;
}

function parentIndex({ rows, at }: TreeAt, { level }: OutlineRow): number {
  const above = rows.value
    .slice(0, at)
    .findLastIndex((one) => one.level < level);
  return above < 0 ? at : above;
}

function isLetter(key: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(key);
}

/** The next line whose words begin with it. */
function toLetter(tree: TreeAt, key: string): boolean {
  const { editor, rows, at } = tree;
  const letter = key.toLowerCase();
  const begins = ({ component, words }: OutlineRow) => {
    const phrase = component ? rowPhrase(editor, component) : words;
    return phrase.toLowerCase().startsWith(letter);
  };
  const later = rows.value.findIndex((row, index) => index > at && begins(row));
  const found = later < 0 ? rows.value.findIndex(begins) : later;
  return found < 0 || go(tree, found);
}
