import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { toast } from "../../ui/toast.js";
import { findElement, getBox } from "../canvas/boxes.js";
import { getCatalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { addNewComponent, describeAddition } from "../model/placement.js";
import {
  getLastCopied,
  pasteAtSelection,
  selectAll,
  startTyping,
} from "./commands.js";

// What commands need of the browser: the focus, the place that is scrolled to, and the clipboard.

/** Adds a component at the selection; returns false if it is not allowed there. */
export function addComponent(editor: Editor, type: ComponentType): boolean {
  const made = addNewComponent(editor, type);
  if (!made?.id) {
    const { words } = getCatalogEntry(type);
    toast(t("editor.cannotAddHere", { component: words }));
    return false;
  }
  scrollToSelected(editor);
  editor.announced.value = describeAddition(editor, made.id);
  return true;
}

/**
 * Starts editing the text of the new component that is selected, or of the first point of a new list. Focuses a component
 * without text.
 */
export function enterNew(editor: Editor): void {
  const component = editor.selectedEntry.peek()?.component;
  const text = component?.type === "list" ? component.components[0] : component;
  const id = text?.id;
  const isEmpty = text && "text" in text && text.text === "";
  if (id === undefined || !isEmpty || text.type === "table-cell") {
    focusSelected(editor);
    return;
  }
  // A dialog that closes now moves the focus first.
  requestAnimationFrame(() => {
    if (!editor.tree.peek().entries.has(id)) return;
    editor.selected.value = id;
    startTyping(editor, id);
  });
}

/** Like `selectAll`, and marks no text of the page. */
export function selectAllOnPage(editor: Editor): void {
  selectAll(editor);
  getSelection()?.removeAllRanges();
}

/** Opens the context menu at the selected component, or at the top of the page. */
export function openMenuAtSelection(editor: Editor): void {
  const page = document.querySelector(".canvas");
  const id = editor.selected.peek();
  const element =
    (page && id !== null && findElement(page, id)) ||
    document.querySelector(".sheet");
  const box = element && getBox(element);
  if (!box) return;
  editor.menuPoint.value = {
    x: box.left + Math.min(box.width / 2, 48),
    y: box.top + Math.min(box.height, 48),
  };
}

/** Copies a text from a menu, where there is no event of the browser that could take it. */
export async function writeClipboard(text: string | null): Promise<void> {
  if (text === null) return;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // On an address without encryption, there is no clipboard but this.
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** Pastes from a menu. */
export async function pasteClipboard(editor: Editor): Promise<void> {
  const text = await readClipboard();
  if (text === "") toast(t("arrange.pasteWithKeys"));
  else pasteAtSelection(editor, text);
}

async function readClipboard(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return getLastCopied();
  }
}

/** Where the focus is. `page` is the document body or the editor as a whole. */
type FocusArea = "canvas" | "outline" | "page";

/** Null in fields and controls, which handle their keys themselves. */
export function getFocusArea(target: EventTarget | null): FocusArea | null {
  if (!(target instanceof Element)) return null;
  if (target === document.body || target.matches(".editor"))
    return document.querySelector(".canvas") ? "page" : null;
  const control = target.closest(
    "button, a, input, textarea, select, summary, dialog, [contenteditable]",
  );
  // Buttons and links of the template are components on the page, not controls.
  if (control && !control.hasAttribute("data-id")) return null;
  if (target.closest(".canvas")) return "canvas";
  return target.closest("[role=tree]") ? "outline" : null;
}

/** Whether a key is meant for the page: everywhere except in dialogs and fields with text. */
export function isOutsideOfFields(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    document.querySelector(".canvas") !== null &&
    !target.closest(
      "dialog, input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]",
    )
  );
}

/** Whether undo applies to the template: everywhere except in dialogs and search fields. */
export function isUndoTarget(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return true;
  return !target.closest("dialog, input[type=search]");
}

/** Scrolls to the selected component once the page is rendered. */
export function scrollToSelected(editor: Editor): void {
  onSelectedElement(editor, (element) =>
    element.scrollIntoView({ block: "nearest", inline: "nearest" }),
  );
}

/** Like `scrollToSelected`, and moves the focus to the component. */
export function focusSelected(editor: Editor): void {
  onSelectedElement(editor, (element) => {
    if (editor.typingIn.peek() !== null || editor.dialog.peek() !== null)
      return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}

/** Leaves the focus in the outline if it is there. */
export function focusSelectedOnPage(editor: Editor): void {
  if (getFocusArea(document.activeElement) !== "outline") focusSelected(editor);
}

function onSelectedElement(
  editor: Editor,
  act: (element: HTMLElement) => void,
): void {
  requestAnimationFrame(() => {
    const id = editor.selected.peek();
    const page = document.querySelector(".canvas");
    const element = id === null || !page ? null : findElement(page, id);
    if (element) act(element);
  });
}
