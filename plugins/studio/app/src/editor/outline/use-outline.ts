import {
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
  type ReadonlySignal,
} from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useCallback } from "preact/hooks";
import { scrollToSelected } from "../commands/commands.js";
import { getPlainKey } from "../commands/keyboard.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { isBandName, setBand } from "../model/edits.js";
import {
  type OutlineRow,
  getOutlineRows,
  toggleKey,
  expandTo,
  getProblems,
  getRowLabel,
} from "./outline-rows.js";
import { t } from "../../messages/index.js";

export interface RowActions {
  choose: (row: OutlineRow | undefined) => void;
  toggle: (row: OutlineRow) => void;
  /** Removes a header or footer; null for a person who may not edit. */
  remove: ((row: OutlineRow) => void) | null;
}

/** The state of the outline: its rows, the range in the viewport, and the active row, which follows the selection. */
export function useOutline(scroller: RefObject<HTMLElement | null>) {
  const editor = useEditor();
  const toggled = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal("body");
  const rows = useComputed(() => getOutlineRows(editor, toggled.value));
  const marks = useComputed(() => getProblems(editor));
  const { from, to, show } = useVirtualRows(scroller, rows);
  useSignalEffect(() => {
    const id = editor.selected.value;
    if (id === null) return;
    cursor.value = id;
    toggled.value = expandTo(editor.tree.peek(), toggled.peek(), id);
  });
  const at = rows.value.findIndex(({ key }) => key === cursor.value);
  useLayoutEffect(() => {
    // After rendering. The initial row is not scrolled to.
    if (cursor.peek() !== "body") show(at);
  }, [at]);
  const actions = useMemo(
    () => createRowActions(editor, toggled, cursor),
    [editor],
  );
  return { rows, from, to, at, cursor, marks, actions };
}

function createRowActions(
  editor: Editor,
  toggled: Signal<ReadonlySet<string>>,
  cursor: Signal<string>,
): RowActions {
  const remove = ({ key, words }: OutlineRow) => {
    if (!isBandName(key)) return;
    setBand(editor, key, false);
    cursor.value = "body";
    editor.announced.value = t("editor.deleted", { component: words });
  };
  return {
    choose: (row) => {
      if (!row) return;
      editor.selected.value = row.component ? row.key : null;
      cursor.value = row.key;
      scrollToSelected(editor);
    },
    toggle: ({ key }) => {
      toggled.value = toggleKey(toggled.peek(), key);
    },
    remove: editor.mayEdit ? remove : null,
  };
}

/** In CSS px, as in outline.css. */
export const ROW_HEIGHT = 30;
/** Above the first and below the last row, in CSS px. */
const PADDING = 8;
const OVERSCAN = 6;

/** The range of rows in the viewport, which all have the same height. */
function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  rows: ReadonlySignal<readonly unknown[]>,
) {
  const top = useSignal(0);
  const height = useSignal(600);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const update = () => {
      top.value = box.scrollTop;
      height.value = box.clientHeight;
    };
    const watcher = new ResizeObserver(update);
    watcher.observe(box);
    box.addEventListener("scroll", update, { passive: true });
    return () => {
      watcher.disconnect();
      box.removeEventListener("scroll", update);
    };
  }, []);
  const from = useComputed(() =>
    Math.max(0, Math.floor(top.value / ROW_HEIGHT) - OVERSCAN),
  );
  const to = useComputed(() => {
    const end = Math.ceil((top.value + height.value) / ROW_HEIGHT) + OVERSCAN;
    return Math.min(rows.value.length, end);
  });
  /** Scrolls a row into view, by the shortest distance. */
  const show = useCallback((index: number) => {
    const box = scroller.current;
    if (!box || index < 0) return;
    const begin = index * ROW_HEIGHT;
    const end = begin + ROW_HEIGHT + 2 * PADDING;
    if (begin < box.scrollTop) box.scrollTop = begin;
    else if (end > box.scrollTop + box.clientHeight)
      box.scrollTop = end - box.clientHeight;
  }, []);
  return { from, to, show };
}

interface TreeState {
  editor: Editor;
  rows: ReadonlySignal<readonly OutlineRow[]>;
  /** The index of the active row; -1 for none. */
  at: number;
  actions: RowActions;
}

/** The keys of the ARIA tree pattern; other keys are left to the editor. */
export function handleTreeKey(event: KeyboardEvent, tree: TreeState): void {
  const key = getPlainKey(event);
  if (key === null) return;
  const done = isLetterKey(key)
    ? findByLetter(tree, key)
    : KEY_HANDLERS[key]?.(tree);
  if (done) event.preventDefault();
}

/** Each returns whether it handled the key. */
const KEY_HANDLERS: Readonly<Record<string, (tree: TreeState) => boolean>> = {
  ArrowDown: (tree) =>
    chooseRow(tree, Math.min(tree.at + 1, tree.rows.value.length - 1)),
  ArrowUp: (tree) => chooseRow(tree, Math.max(tree.at - 1, 0)),
  Home: (tree) => chooseRow(tree, 0),
  End: (tree) => chooseRow(tree, tree.rows.value.length - 1),
  ArrowRight: (tree) => {
    const row = tree.rows.value[tree.at];
    if (row?.isOpen === false) tree.actions.toggle(row);
    else if (row?.isOpen) chooseRow(tree, tree.at + 1);
    return true;
  },
  ArrowLeft: (tree) => {
    const row = tree.rows.value[tree.at];
    if (row?.isOpen) tree.actions.toggle(row);
    else if (row) chooseRow(tree, findParent(tree, row));
    return true;
  },
  Delete: handleRemove,
  Backspace: handleRemove,
};

function chooseRow({ rows, actions }: TreeState, index: number): boolean {
  actions.choose(rows.value[index]);
  return true;
}

function handleRemove({ rows, at, actions }: TreeState): boolean {
  const row = rows.value[at];
  if (!row || !isBandName(row.key)) return false;
  actions.remove?.(row);
  return true;
}

function findParent({ rows, at }: TreeState, { level }: OutlineRow): number {
  const above = rows.value
    .slice(0, at)
    .findLastIndex((one) => one.level < level);
  return above < 0 ? at : above;
}

function isLetterKey(key: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(key);
}

/** Chooses the next row whose label starts with the letter. */
function findByLetter(tree: TreeState, key: string): boolean {
  const { editor, rows, at } = tree;
  const letter = key.toLowerCase();
  const begins = ({ component, words }: OutlineRow) => {
    const phrase = component ? getRowLabel(editor, component) : words;
    return phrase.toLowerCase().startsWith(letter);
  };
  const later = rows.value.findIndex((row, index) => index > at && begins(row));
  const found = later < 0 ? rows.value.findIndex(begins) : later;
  return found < 0 || chooseRow(tree, found);
}
