import { isBandName } from "../model/edits.js";
import type { Editor } from "../model/editor.js";
import { plainKey } from "../commands/chord.js";
import type { OutlineRow } from "./outline-rows.js";
import { rowPhrase } from "./row-words.js";

interface TreeAt {
  editor: Editor;
  rows: readonly OutlineRow[];
  /** The line that the keys are at; -1 for none. */
  at: number;
  choose: (index: number) => void;
  turn: (key: string) => void;
  /** Takes a header or footer away. */
  remove: (row: OutlineRow) => void;
}

/** The keys of a tree as ARIA's pattern has them; what is not of them is left to the editor. */
export function treeKey(event: KeyboardEvent, tree: TreeAt): void {
  const key = plainKey(event);
  if (key === null) return;
  const done = isLetter(key) ? toLetter(tree, key) : keys[key]?.(tree);
  if (done === undefined) return;
  event.preventDefault();
}

/** Each says true when it took the key. */
const keys: Readonly<Record<string, (tree: TreeAt) => true | undefined>> = {
  ArrowDown: (tree) => go(tree, Math.min(tree.at + 1, tree.rows.length - 1)),
  ArrowUp: (tree) => go(tree, Math.max(tree.at - 1, 0)),
  Home: (tree) => go(tree, 0),
  End: (tree) => go(tree, tree.rows.length - 1),
  ArrowRight: (tree) => {
    const row = tree.rows[tree.at];
    if (row?.isOpen === false) tree.turn(row.key);
    else if (row?.isOpen) go(tree, tree.at + 1);
    return true;
  },
  Delete: removeBand,
  Backspace: removeBand,
  ArrowLeft: (tree) => {
    const row = tree.rows[tree.at];
    if (row?.isOpen) tree.turn(row.key);
    else if (row) go(tree, parentIndex(tree, row));
    return true;
  },
};

function removeBand({ rows, at, remove }: TreeAt): true | undefined {
  const row = rows[at];
  if (!row || !isBandName(row.key)) return undefined;
  remove(row);
  return true;
}

function go({ choose }: TreeAt, index: number): true {
  choose(index);
  return true;
}

function parentIndex({ rows, at }: TreeAt, { level }: OutlineRow): number {
  const above = rows.slice(0, at).findLastIndex((one) => one.level < level);
  return above < 0 ? at : above;
}

function isLetter(key: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(key);
}

/** The next line whose words begin with it. */
function toLetter({ editor, rows, at, choose }: TreeAt, key: string): true {
  const letter = key.toLowerCase();
  const begins = ({ component, words }: OutlineRow) => {
    const phrase = component ? rowPhrase(editor, component) : words;
    return phrase.toLowerCase().startsWith(letter);
  };
  const later = rows.findIndex((row, index) => index > at && begins(row));
  const found = later < 0 ? rows.findIndex(begins) : later;
  if (found >= 0) choose(found);
  return true;
}
