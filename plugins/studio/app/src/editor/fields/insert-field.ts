import type {
  Component,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import { toast } from "../../ui/toast.js";
import { insertComponents } from "../model/edits.js";
import type { Editor } from "../model/editor.js";
import { withNewIds } from "../model/tree.js";
import { nearestSpot } from "../model/placement.js";
import { proposeName } from "../rules/collection-edits.js";
import { asWords, keysOf, pathWith } from "../scope/path-text.js";
import { shapeAt } from "../scope/symbol-table.js";
import { pathOptions, scopesAt } from "../scope/path-options.js";
import { fieldLabel } from "./schema-edits.js";

/** Puts a field where the caret is, or as a new part after what is selected: a text, or of a list a table. */
export function insertField(
  editor: Editor,
  collectionId: string,
  field: Field,
): void {
  const typing = editor.typingIn.peek();
  const place = typing ?? editor.selected.peek();
  const path = pathOf(editor, place, collectionId, field.name);
  if (path === null) {
    toast(
      `Select a part that repeats for each ${asWords(collectionId)} first.`,
    );
    return;
  }
  const isList = field.type === "OneToManyLink";
  if (typing !== null && !("target" in field)) pasteAtCaret(`{{ ${path} }}`);
  else if (isList) insertPart(editor, tableOf(editor, field, path), field);
  else if (!("target" in field))
    insertPart(editor, { type: "text", text: `{{ ${path} }}` }, field);
  else toast("Open it, and insert one of its fields.");
}

/** The nearest path that leads to a field of a collection. */
function pathOf(
  editor: Editor,
  place: string | null,
  collectionId: string,
  name: string,
): string | null {
  const scope = scopesAt(editor, place, "content");
  const book = editor.scopes.peek();
  const found = pathOptions(editor, place, "content").find(({ path }) => {
    const keys = keysOf(path);
    if (keys?.at(-1) !== name) return false;
    const around = shapeAt(book, scope, keys.slice(0, -1));
    return around?.kind === "record" && around.of?.id === collectionId;
  });
  return found?.path ?? null;
}

/** A text that is typed in the page takes a pasted variable as a chip. */
function pasteAtCaret(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const init = { clipboardData, bubbles: true, cancelable: true };
  document.activeElement?.dispatchEvent(new ClipboardEvent("paste", init));
}

function insertPart(editor: Editor, part: Component, field: Field): void {
  const spot = nearestSpot(editor, [part.type], editor.selected.peek());
  if (!spot) {
    toast("It cannot stand here. Select another place first.");
    return;
  }
  const name = `Insert ${fieldLabel(field)}`;
  insertComponents(editor, [withNewIds(part)], spot, name);
}

/** A heading row, and a row that repeats, with a column for each field. */
function tableOf(editor: Editor, field: Field, path: string): Component {
  const { schema } = editor.definition.peek();
  const target = "target" in field ? field.target : "";
  const fields = schema.find(({ id }) => id === target)?.fields ?? [];
  const shown = fields.filter((one) => !("target" in one)).slice(0, 8);
  const collectionId = proposeName(editor, path);
  const cells = (text: (one: Field) => string) =>
    shown.map((one) => ({
      type: "table-cell" as const,
      text: text(one),
      ...alignOf(one),
    }));
  const value = (one: Field) => `{{ ${pathWith(collectionId, one.name)} }}`;
  return {
    type: "table",
    components: [
      { type: "table-row", header: true, components: cells(fieldLabel) },
      {
        type: "table-row",
        collection: { collectionId, path },
        components: cells(value),
      },
    ],
  };
}

function alignOf({ type }: Field) {
  return type === "Number" && { align: "right" as const };
}
