import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { toast } from "../../ui/toast.js";
import { catalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { addNew } from "../model/placement.js";
import { showSelected } from "./focus-selected.js";
import { placeWords } from "../model/place-names.js";

/** Adds a new component where the selection is, and says where it went, or why it did not. */
export function addWithWords(editor: Editor, type: ComponentType): boolean {
  const { words } = catalogEntry(type);
  const made = addNew(editor, type);
  if (!made?.id) {
    toast(`${words} cannot stand here. Select another place first.`);
    return false;
  }
  showSelected(editor);
  editor.announced.value = `${words} added ${placeWords(editor, made.id)}`;
  return true;
}
