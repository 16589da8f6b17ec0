import { countOf } from "../../format.js";
import { toast } from "../../ui/toast.js";
import { catalogEntry } from "../model/catalog.js";
import { clipOf, duplicateComponent, pasteText } from "../model/clipboard.js";
import { removeComponent } from "../model/edits.js";
import type { Editor } from "../model/editor.js";
import { moveTowards, type Way } from "../model/placement.js";
import { placeWords } from "../model/place-names.js";
import type { Component } from "../../../../../../core/plugin-api/definition.js";

// What keys, menus and buttons do to what is selected. Each says what became of it.

export function deleteSelected(editor: Editor): void {
  const entry = editor.selectedEntry.peek();
  if (!entry || !mayEdit(editor)) return;
  removeComponent(editor, entry.id);
  say(editor, `${catalogEntry(entry.component.type).words} deleted`);
}

export function duplicateSelected(editor: Editor): void {
  const entry = editor.selectedEntry.peek();
  if (!entry || !mayEdit(editor)) return;
  duplicateComponent(editor, entry.id);
  const { words } = catalogEntry(entry.component.type);
  const copy = editor.selected.peek() ?? entry.id;
  say(
    editor,
    `${words} duplicated ${placeWords(editor, copy, entry.spot.list)}`,
  );
}

export function moveSelected(editor: Editor, way: Way): void {
  const entry = editor.selectedEntry.peek();
  if (entry && mayEdit(editor)) say(editor, moveTowards(editor, entry.id, way));
}

/** What is selected as text; null when nothing is. */
export function copySelected(editor: Editor): string | null {
  const entry = editor.selectedEntry.peek();
  if (!entry) return null;
  say(editor, `${catalogEntry(entry.component.type).words} copied`);
  return clipOf(editor, entry.id);
}

/** As `copySelected`; then it is deleted. */
export function cutSelected(editor: Editor): string | null {
  if (!mayEdit(editor)) return null;
  const text = copySelected(editor);
  deleteSelected(editor);
  return text;
}

export function pasteHere(editor: Editor, text: string): void {
  if (!mayEdit(editor)) return;
  const pasted = pasteText(editor, text);
  if ("fault" in pasted) {
    toast(pasted.fault);
    return;
  }
  say(editor, `${countOf(pasted.count, "part")} pasted`);
}

/** Begins to type in what is selected, or goes into it. */
export function enterSelected(editor: Editor): void {
  const entry = editor.selectedEntry.peek();
  if (!entry) return;
  const { component, id } = entry;
  if (hasText(component) && editor.mayEdit) editor.typingIn.value = id;
  else if ("components" in component && component.components?.[0]?.id)
    editor.selected.value = component.components[0].id;
}

/** Selects what is around it; at the top, the page. */
export function leaveSelected(editor: Editor): void {
  if (editor.typingIn.peek() !== null) editor.typingIn.value = null;
  else editor.selected.value = editor.selectedEntry.peek()?.parentId ?? null;
}

export function undo(editor: Editor): void {
  const name = editor.undo();
  say(editor, name === null ? "Nothing to undo" : `Undone: ${name}`);
}

export function redo(editor: Editor): void {
  const name = editor.redo();
  say(editor, name === null ? "Nothing to redo" : `Redone: ${name}`);
}

function hasText(component: Component): boolean {
  const { type } = component;
  if (type === "heading" || type === "text" || type === "button") return true;
  const isEither = type === "table-cell" || type === "list-item";
  return isEither && (component.components ?? []).length === 0;
}

function mayEdit(editor: Editor): boolean {
  if (!editor.mayEdit) toast("You may look at this template, not change it.");
  return editor.mayEdit;
}

function say(editor: Editor, words: string): void {
  editor.announced.value = words;
}
