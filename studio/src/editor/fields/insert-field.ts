import type {
  Component,
  ComponentType,
  Field,
} from "../../../../core/plugin-api/definition.js";
import type { DraggedField, Editor } from "../model/editor.js";
import { proposeCollectionName } from "../rules/collection-edits.js";
import { asWords, keysOf, appendToPath } from "../scope/path-text.js";
import { getShapeAt } from "../scope/symbol-table.js";
import { listPathOptions, getScopeAt } from "../scope/path-options.js";
import { createFieldText, type FieldStyle } from "../text/chip.js";
import { getFieldKind, getFieldLabel, getNumberStyle } from "./schema-edits.js";
import { t } from "../../messages/index.js";

/** What to do before a field of a collection can be printed. */
export function getScopeHint(collectionId: string): string {
  return t("fields.selectRepeatFirst", { collectionId: asWords(collectionId) });
}

/**
 * The Template that prints a field in a text of this component.
 * @returns null where its record is not in scope, and for a field that is not printed as text
 */
export function getFieldSource(
  editor: Editor,
  place: string | null,
  { collectionId, field }: DraggedField,
): string | null {
  const path = findPathTo(editor, place, collectionId, field.name);
  if (path === null || "target" in field || getFieldKind(field) === "image")
    return null;
  return createFieldText(path, getStyle(field));
}

/** As the field menu inserts them. */
function getStyle(field: Field): FieldStyle {
  if (field.type !== "Date") return getNumberStyle(field);
  return { filters: [{ name: "date", args: ["medium"] }] };
}

/** A new text, image or table that shows a field at this component; null where its record is not in scope. */
export function createFieldPart(
  editor: Editor,
  place: string | null,
  dragged: DraggedField,
): Component | null {
  const { collectionId, field } = dragged;
  const path = findPathTo(editor, place, collectionId, field.name);
  if (path === null) return null;
  if (field.type === "OneToManyLink") return createTable(editor, field, path);
  if (getFieldKind(field) === "image")
    return { type: "image", src: `{{ ${path} }}`, alt: "" };
  const text = getFieldSource(editor, place, dragged);
  return text === null ? null : { type: "text", text };
}

export function getFieldPartType({ field }: DraggedField): ComponentType {
  if (field.type === "OneToManyLink") return "table";
  return getFieldKind(field) === "image" ? "image" : "text";
}

/** The nearest path to a field of a collection. */
function findPathTo(
  editor: Editor,
  place: string | null,
  collectionId: string,
  name: string,
): string | null {
  const scope = getScopeAt(editor, place, "content");
  const book = editor.scopes.peek();
  const option = listPathOptions(editor, place, "content").find(({ path }) => {
    const keys = keysOf(path);
    if (keys?.at(-1) !== name) return false;
    const around = getShapeAt(book, scope, keys.slice(0, -1));
    return around?.kind === "record" && around.of?.id === collectionId;
  });
  return option?.path ?? null;
}

/** A table with a header row and a repeated row, with a column for each field. */
function createTable(editor: Editor, field: Field, path: string): Component {
  const { schema } = editor.definition.peek();
  const target = "target" in field ? field.target : "";
  const fields = schema.find(({ id }) => id === target)?.fields ?? [];
  const columns = fields.filter((column) => !("target" in column)).slice(0, 8);
  const collectionId = proposeCollectionName(editor, path);
  const cells = (text: (column: Field) => string) =>
    columns.map((column) => ({
      type: "table-cell" as const,
      text: text(column),
      ...getAlign(column),
    }));
  const value = (column: Field) =>
    createFieldText(appendToPath(collectionId, column.name), getStyle(column));
  return {
    type: "table",
    components: [
      { type: "table-row", header: true, components: cells(getFieldLabel) },
      {
        type: "table-row",
        collection: { collectionId, path },
        components: cells(value),
      },
    ],
  };
}

function getAlign({ type }: Field) {
  return type === "Number" && { align: "right" as const };
}
