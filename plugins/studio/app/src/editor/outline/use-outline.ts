import {
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { showSelected } from "../commands/focus-selected.js";
import { isBandName, setBand } from "../model/edits.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import {
  type OutlineRow,
  outlineRows,
  turnedOver,
  unfolding,
} from "./outline-rows.js";
import { problemMarks } from "./problem-marks.js";
import { useWindow } from "./use-window.js";

/** What can be done with a line of the outline. */
export interface LineActions {
  choose: (row: OutlineRow | undefined) => void;
  turn: (row: OutlineRow) => void;
  /** Takes a header or footer away; null for those who may not. */
  remove: ((row: OutlineRow) => void) | null;
}

/** The lines of the outline, which of them are in sight, and where its keys are. What is selected is shown. */
export function useOutline(scroller: RefObject<HTMLElement | null>) {
  const editor = useEditor();
  const turned = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal("body");
  const rows = useComputed(() => outlineRows(editor, turned.value));
  const marks = useComputed(() => problemMarks(editor));
  const { from, to, show } = useWindow(scroller, rows);
  useSignalEffect(() => {
    const id = editor.selected.value;
    if (id === null) return;
    cursor.value = id;
    turned.value = unfolding(editor.tree.peek(), turned.peek(), id);
  });
  const at = rows.value.findIndex(({ key }) => key === cursor.value);
  useLayoutEffect(() => {
    // When all lines are there. What nobody chose, the page itself, stays where it is.
    if (cursor.peek() !== "body") show(at);
  }, [at]);
  const actions = useMemo(() => lineActions(editor, turned, cursor), [editor]);
  return { rows, from, to, at, cursor, marks, actions };
}

function lineActions(
  editor: Editor,
  turned: Signal<ReadonlySet<string>>,
  cursor: Signal<string>,
): LineActions {
  const remove = ({ key, words }: OutlineRow) => {
    if (!isBandName(key)) return;
    setBand(editor, key, false);
    cursor.value = "body";
    editor.announced.value = `${words} deleted`;
  };
  return {
    choose: (row) => {
      if (!row) return;
      editor.selected.value = row.component ? row.key : null;
      cursor.value = row.key;
      showSelected(editor);
    },
    turn: ({ key }) => {
      turned.value = turnedOver(turned.peek(), key);
    },
    remove: editor.mayEdit ? remove : null,
  };
}
