import type { Component } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { toast } from "../../ui/toast.js";
import { getCatalogEntry } from "../model/catalog.js";
import {
  toClipboardText,
  duplicateComponents,
  pasteText,
} from "../model/clipboard.js";
import type { Editor } from "../model/editor.js";
import { wrapComponents, type Wrapper } from "../model/arrange.js";
import { removeComponents, shiftComponents } from "../model/edits.js";
import {
  describeAddition,
  describeCopy,
  moveByStep,
  type Way,
} from "../model/placement.js";
import { type Direction, navigate } from "../model/navigate.js";
import { deleteCells, duplicateColumn } from "../model/table-edits.js";
import type { Entry } from "../model/tree.js";

// Commands of the keyboard, menus and toolbars. Each acts on the selected components and announces the result.

export function deleteSelected(editor: Editor): void {
  const entries = editor.selection.peek();
  const [first] = entries;
  if (!first || !checkMayEdit(editor)) return;
  if (entries.every(isCell)) {
    deleteCells(editor, entries);
    const tree = editor.tree.peek().entries;
    const isRowGone = !tree.has(first.parentId ?? "");
    if (isRowGone) announce(editor, t("editor.rowDeleted"));
    else if (tree.has(first.id)) announce(editor, t("editor.cellEmptied"));
    else announce(editor, t("editor.cellDeleted"));
    return;
  }
  removeComponents(editor, entries);
  const component = getCatalogEntry(first.component.type).words;
  announce(
    editor,
    entries.length === 1
      ? t("editor.deleted", { component })
      : t("editor.componentsDeleted", { count: entries.length }),
  );
}

export function duplicateSelected(editor: Editor): void {
  const entries = editor.selection.peek();
  const [first] = entries;
  if (!first || !checkMayEdit(editor)) return;
  if (entries.every(isCell)) {
    if (entries.length > 1) toast(t("editor.selectOneCell"));
    else {
      duplicateColumn(editor, first.id);
      announce(editor, t("editor.columnDuplicated"));
    }
    return;
  }
  duplicateComponents(editor, entries);
  const copy = editor.selected.peek() ?? first.id;
  announce(
    editor,
    entries.length === 1
      ? describeCopy(editor, copy)
      : t("editor.componentsDuplicated", { count: entries.length }),
  );
}

export function moveSelected(editor: Editor, way: Way): void {
  const entries = editor.selection.peek();
  const [first] = entries;
  if (!first || !checkMayEdit(editor)) return;
  const before = editor.definition.peek();
  moveEntries(editor, entries, way);
  // Screen readers announce it; others see it beside the selection.
  if (editor.definition.peek() === before)
    editor.refusal.value = editor.announced.peek();
}

function moveEntries(
  editor: Editor,
  entries: readonly Entry[],
  way: Way,
): void {
  const [first] = entries;
  if (!first) return;
  if (entries.length === 1) announce(editor, moveByStep(editor, first.id, way));
  else if (way === "in" || way === "out")
    announce(editor, t("editor.selectOneToMove"));
  else {
    const before = editor.definition.peek();
    shiftComponents(editor, entries, way);
    const count = entries.length;
    announce(
      editor,
      editor.definition.peek() === before
        ? t("editor.componentsNotMoved", { count })
        : t("editor.componentsMoved", { count }),
    );
  }
}

/** Adds the component in a direction to the selection. */
export function extendSelection(editor: Editor, direction: Direction): void {
  const before = editor.selected.ids.peek();
  navigate(editor, direction);
  const next = editor.selected.peek();
  const others = before.filter((id) => id !== next);
  editor.selected.replace(next === null ? others : [...others, next]);
}

/**
 * Selects all components beside the selected one, of the page if nothing is selected. If they are selected already, all
 * of the level above.
 */
export function selectAll(editor: Editor): void {
  const { lists, entries } = editor.tree.peek();
  const selected = editor.selected.ids.peek();
  const select = (entry: Entry | undefined): void => {
    const key = entry?.spot.list ?? "body";
    const ids = (lists.get(key)?.components ?? []).map(({ id = "" }) => id);
    const isSelected =
      ids.length === selected.length &&
      ids.every((id) => selected.includes(id));
    const parent = entries.get(entry?.parentId ?? "");
    if (isSelected && parent) select(parent);
    else editor.selected.replace(ids);
  };
  select(entries.get(selected.at(-1) ?? ""));
  const count = editor.selected.ids.peek().length;
  announce(editor, t("editor.componentsSelected", { count }));
}

/** Returns the selected components as clipboard text; null if nothing is selected. */
export function copySelected(editor: Editor): string | null {
  const entries = editor.selection.peek();
  const [first] = entries;
  if (!first) return null;
  const component = getCatalogEntry(first.component.type).words;
  announce(
    editor,
    entries.length === 1
      ? t("editor.copied", { component })
      : t("editor.componentsCopied", { count: entries.length }),
  );
  lastCopied = toClipboardText(entries);
  return lastCopied;
}

let lastCopied = "";

/** What was copied last; pasted from menus where the browser does not let pages read its clipboard. */
export function getLastCopied(): string {
  return lastCopied;
}

export function wrapSelected(editor: Editor, wrapper: Wrapper): void {
  const entries = editor.selection.peek();
  if (entries.length === 0 || !checkMayEdit(editor)) return;
  wrapComponents(editor, entries, wrapper);
  const selected = editor.selected.peek() ?? "";
  announce(editor, describeAddition(editor, selected));
}

export function cutSelected(editor: Editor): string | null {
  if (!checkMayEdit(editor)) return null;
  const text = copySelected(editor);
  deleteSelected(editor);
  return text;
}

export function pasteAtSelection(editor: Editor, text: string): void {
  if (!checkMayEdit(editor)) return;
  const pasted = pasteText(editor, text);
  if ("fault" in pasted) {
    toast(pasted.fault);
    return;
  }
  announce(editor, t("editor.pasted", { count: pasted.count }));
}

/** Starts editing the selected component's text, or selects its first child. */
export function enterSelected(editor: Editor): void {
  const entry = editor.selectedEntry.peek();
  if (!entry) return;
  const { component, id } = entry;
  if (hasEditableText(component) && editor.mayEdit) startTyping(editor, id);
  else if ("components" in component && component.components?.[0]?.id)
    editor.selected.value = component.components[0].id;
}

/** Starts editing a text, with the caret at its end. */
export function startTyping(editor: Editor, id: string): void {
  if (!editor.mayEdit) return;
  editor.typingPoint.value = null;
  editor.typingIn.value = id;
}

/** Stops editing text, or selects the parent; the parent of a top-level component is the page. */
export function leaveSelected(editor: Editor): void {
  if (editor.typingIn.peek() !== null) editor.typingIn.value = null;
  else editor.selected.value = editor.selectedEntry.peek()?.parentId ?? null;
}

export function undo(editor: Editor): void {
  const name = editor.undo();
  announce(
    editor,
    name === null
      ? t("editor.nothingToUndo")
      : t("editor.undoneName", { name }),
  );
}

export function redo(editor: Editor): void {
  const name = editor.redo();
  announce(
    editor,
    name === null
      ? t("editor.nothingToRedo")
      : t("editor.redoneName", { name }),
  );
}

function isCell({ component }: Entry): boolean {
  return component.type === "table-cell";
}

/** Whether its text is edited on the page. */
export function hasEditableText(component: Component): boolean {
  const { type } = component;
  if (type === "heading" || type === "text" || type === "button") return true;
  const isEither = type === "table-cell" || type === "list-item";
  return isEither && (component.components ?? []).length === 0;
}

/** Shows a message if the person may not edit. */
function checkMayEdit(editor: Editor): boolean {
  if (!editor.mayEdit) toast(t("editor.readOnly"));
  return editor.mayEdit;
}

function announce(editor: Editor, words: string): void {
  editor.announced.value = words;
}
