import type {
  DataCollection,
  Field,
  FieldType,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import type { IconName } from "../../ui/icon-paths.js";
import type { Editor } from "../model/editor.js";
import type { FieldRemedy } from "../model/unknown-fields.js";
import { moveItem } from "../rules/logic.js";
import { asWords, toCamelCase } from "../scope/path-text.js";
import type { FieldStyle } from "../text/chip.js";
import { getFormula } from "./make-sample.js";

type Schema = readonly DataCollection[];

/** The root record; an empty one when nothing is declared. */
export function getRoot(schema: Schema): DataCollection {
  return schema[0] ?? { id: "root", fields: [] };
}

/** Converts a label to a camel-case name of letters, digits and _. Null when it contains none. */
export function toFieldName(words: string): string | null {
  const name = toCamelCase(words);
  if (name === "") return null;
  return /^\p{N}/u.test(name) ? `_${name}` : name;
}

/** Why no other field may have this label beside these fields; null when one may. */
export function findLabelFault(
  fields: readonly Field[],
  label: string,
): string | null {
  if (toFieldName(label) === null) return t("fields.nameMissing");
  const isTaken = fields.some((field) => isSame(getFieldLabel(field), label));
  return isTaken ? t("fields.nameTaken") : null;
}

function isSame(label: string, other: string): boolean {
  return label.trim().toLowerCase() === other.trim().toLowerCase();
}

/** The name, with a number appended if it is taken. */
export function findFreeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name}${count}`;
  return free;
}

/**
 * Adds a field and, for a link, its collection.
 * @param formula of a calculated field
 * @returns its name in the data; null if the label contains no letter or digit
 */
export function addField(
  editor: Editor,
  collectionId: string,
  label: string,
  kind: FieldKind,
  formula?: string,
): string | null {
  const schema = withRoot(editor.definition.peek().schema);
  const owner = schema.find(({ id }) => id === collectionId);
  const wanted = toFieldName(label);
  if (!owner || wanted === null) return null;
  const names = owner.fields.map(({ name }) => name);
  const name = findFreeName(wanted, names);
  const base = { name, ...(label !== name && { label }) };
  const ids = schema.map(({ id }) => id);
  const target = findFreeName(name, ids);
  const field = withFormula(createField(base, kind, target), formula);
  const grown = replaceFields(schema, collectionId, (fields) => [
    ...fields,
    field,
  ]);
  const made = { id: target, label, fields: [] };
  setSchema(editor, t("fields.addFieldLabel", { label }), [
    ...grown,
    ...("target" in field ? [made] : []),
  ]);
  return name;
}

/** Declares the fields that a collection lacks: the last one with a type, linked records before it. */
export function declareFields(
  editor: Editor,
  { collectionId, names, type }: FieldRemedy,
): void {
  let schema: DataCollection[] = [...withRoot(editor.definition.peek().schema)];
  let owner = collectionId;
  for (const [at, name] of names.entries()) {
    const ids = schema.map(({ id }) => id);
    const fieldType = at === names.length - 1 ? type : "OneToOneLink";
    const target = findFreeName(name, ids);
    const field: Field = isLinkType(fieldType)
      ? { name, type: fieldType, target }
      : { name, type: fieldType };
    schema = replaceFields(schema, owner, (fields) => [...fields, field]);
    if ("target" in field) schema.push({ id: target, fields: [] });
    owner = target;
  }
  const label = asWords(names.at(-1) ?? "");
  setSchema(editor, t("fields.addFieldLabel", { label }), schema);
}

export function changeField(
  editor: Editor,
  collectionId: string,
  name: string,
  field: Field,
  thread: string | null = null,
): void {
  const { schema } = editor.definition.peek();
  const next = replaceFields(schema, collectionId, (fields) =>
    fields.map((existing) => (existing.name === name ? field : existing)),
  );
  setSchema(editor, t("fields.changeFieldName", { name }), next, thread);
}

/** Deletes a field and the collections that become unreachable. */
export function removeField(
  editor: Editor,
  collectionId: string,
  name: string,
): void {
  const { schema } = editor.definition.peek();
  const before = findReachable(schema);
  const less = replaceFields(schema, collectionId, (fields) =>
    fields.filter((field) => field.name !== name),
  );
  const after = findReachable(less);
  const left = less.filter(({ id }) => after.has(id) || !before.has(id));
  setSchema(editor, t("fields.deleteFieldName", { name }), left);
}

export function moveField(
  editor: Editor,
  collectionId: string,
  index: number,
  by: 1 | -1,
): void {
  const { schema } = editor.definition.peek();
  const next = replaceFields(schema, collectionId, (fields) =>
    moveItem(fields, index, by),
  );
  setSchema(editor, t("fields.moveField"), next);
}

export function setSchema(
  editor: Editor,
  name: string,
  schema: Schema,
  thread: string | null = null,
): void {
  const definition = editor.definition.peek();
  editor.replace(name, { ...definition, schema: [...schema] }, thread);
}

/** The field with this formula; links and numbers of records have none. */
export function withFormula(field: Field, formula: string | undefined): Field {
  if (formula === undefined || !mayCalculate(field)) return field;
  const { required: _required, source: _source, ...rest } = field;
  return { ...rest, computed: formula };
}

type CalculatedField = Extract<
  Field,
  { type: "String" | "Number" | "Date" | "Boolean" }
>;

function mayCalculate(field: Field): field is CalculatedField {
  return ["String", "Number", "Date", "Boolean"].includes(field.type);
}

/** The fields that records have, without those that are calculated. */
export function listDataFields({ fields }: DataCollection): Field[] {
  return fields.filter((field) => getFormula(field) === undefined);
}

export function isLinkType(
  type: FieldKind,
): type is "OneToOneLink" | "OneToManyLink" {
  return type === "OneToOneLink" || type === "OneToManyLink";
}

function withRoot(schema: Schema): Schema {
  return schema.length > 0 ? schema : [getRoot(schema)];
}

function replaceFields(
  schema: Schema,
  collectionId: string,
  change: (fields: readonly Field[]) => Field[],
): DataCollection[] {
  return schema.map((collection) =>
    collection.id === collectionId
      ? { ...collection, fields: change(collection.fields) }
      : collection,
  );
}

/** The ids of all collections reachable from the root record. */
function findReachable(schema: Schema): Set<string> {
  const reachable = new Set<string>();
  const walk = (id: string) => {
    if (reachable.has(id)) return;
    reachable.add(id);
    const fields =
      schema.find((collection) => collection.id === id)?.fields ?? [];
    for (const field of fields) if ("target" in field) walk(field.target);
  };
  walk(getRoot(schema).id);
  return reachable;
}

/** A field's type as people choose it: a String whose example is a boolean or a picture is more than a text. */
export type FieldKind = FieldType | "image" | "money" | "percent";

export const fieldKinds: readonly (readonly [FieldKind, string])[] = [
  ["String", t("common.text")],
  ["Number", t("common.number")],
  ["money", t("fields.money")],
  ["percent", t("fields.percent")],
  ["Date", t("common.date")],
  ["Boolean", t("fields.yesNo")],
  ["image", t("common.image")],
  ["Autogenerated", t("fields.autonumber")],
  ["OneToManyLink", t("common.list")],
  ["OneToOneLink", t("fields.linkedRecord")],
];

const imageAddress =
  /^(?:asset:|data:image\/|https?:\S+\.(?:png|jpe?g|webp|gif|svg)$)/i;
const maxAddressLength = 500;

export function isImageAddress(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.length <= maxAddressLength &&
    imageAddress.test(value)
  );
}

/** A gray point. */
const exampleImage =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mM8c+bMfwAGgAL/oHzqhAAAAABJRU5ErkJggg==";

export function getFieldKind(field: Field): FieldKind {
  const { type, sample } = field;
  if (type === "Number" && field.format)
    return field.format === "currency" ? "money" : "percent";
  if (type !== "String") return type;
  if (typeof sample === "boolean") return "Boolean";
  return isImageAddress(sample) ? "image" : type;
}

interface FieldBase {
  name: string;
  label?: string;
  source?: string;
  required?: boolean;
}

/** @param target the collection of a link */
export function createField(
  base: FieldBase,
  kind: FieldKind,
  target: string,
): Field {
  switch (kind) {
    case "image":
      return { ...base, type: "String", sample: exampleImage };
    case "money":
      return { ...base, type: "Number", format: "currency" };
    case "percent":
      return { ...base, type: "Number", format: "percent" };
    case "OneToManyLink":
    case "OneToOneLink":
      return { ...base, type: kind, target };
    default:
      return { ...base, type: kind };
  }
}

/** How an inserted field is written: money and percentages are formatted. */
export function getNumberStyle(field: Field): FieldStyle {
  if (field.type !== "Number" || !field.format) return { filters: [] };
  const { format, currency } = field;
  if (format === "currency")
    return {
      filters: [{ name: "currency", args: currency ? [currency] : [] }],
    };
  const filters = [{ name: "percent", args: [] }];
  return format === "percent" ? { filters } : { divisor: 100, filters };
}

export const fieldIcons: Readonly<Record<FieldKind, IconName>> = {
  Boolean: "check",
  image: "image",
  money: "money",
  percent: "percent",
  String: "text",
  Number: "number",
  Date: "calendar",
  Autogenerated: "key",
  OneToManyLink: "list",
  OneToOneLink: "link",
};

export function getFieldLabel({ label, name }: Field): string {
  return label ?? asWords(name);
}
