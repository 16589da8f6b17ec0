import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../model/catalog.js";
import type { Dragged, Editor } from "../model/editor.js";
import { isWithin } from "../model/edits.js";

/** What a pointer takes hold of: something of the palette, a line of the outline, or a component of the page. */
export function dragSubject(editor: Editor, target: Element): Dragged | null {
  const type = target.closest("[data-new]")?.getAttribute("data-new");
  if (type) {
    // The palette writes types alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { make: catalogEntry(type as ComponentType).make };
  }
  const row = target.closest("[data-row]")?.getAttribute("data-row");
  if (row) return target.closest("button") ? null : { id: row };
  const drawn = target.closest("[data-id]");
  const id = drawn?.getAttribute("data-id");
  if (!id || !drawn?.closest(".canvas")) return null;
  const control = target.closest("button, input, [contenteditable]");
  if (control && drawn.contains(control) && control !== drawn) return null;
  if (id === editor.typingIn.peek()) return null;
  // What is selected is taken by any of its parts.
  const selected = editor.selected.peek();
  return { id: selected && isWithin(editor, id, selected) ? selected : id };
}
