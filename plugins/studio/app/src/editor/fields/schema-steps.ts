import type {
  DataCollection,
  Field,
  FieldType,
} from "../../../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import { moved } from "../rules/logic-steps.js";

// What a person does to the fields of the data; each is one step.

type Schema = readonly DataCollection[];

/** The record itself, also where nothing is declared. */
export function rootOf(schema: Schema): DataCollection {
  return schema[0] ?? { id: "root", fields: [] };
}

/** A word as a name in the data: letters, digits and _, in camel case. Null where none of them is in it. */
export function nameOfWords(words: string): string | null {
  const [first, ...rest] = words.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  if (first === undefined) return null;
  const start = first.charAt(0).toLowerCase() + first.slice(1);
  const name = start + rest.map(upper).join("");
  return /^\p{N}/u.test(name) ? `_${name}` : name;
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A name that is not taken, with a number behind it where it is. */
export function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name}${count}`;
  return free;
}

/** Adds a field, and to a link a list or record of its own. */
export function addField(
  editor: Editor,
  collectionId: string,
  label: string,
  type: FieldType,
): void {
  const schema = withRoot(editor.definition.peek().schema);
  const owner = schema.find(({ id }) => id === collectionId);
  const wanted = nameOfWords(label);
  if (!owner || wanted === null) return;
  const names = owner.fields.map(({ name }) => name);
  const name = freeName(wanted, names);
  const base = { name, ...(label !== name && { label }) };
  const ids = schema.map(({ id }) => id);
  const target = freeName(name, ids);
  const field: Field = isLinkType(type)
    ? { ...base, type, target }
    : { ...base, type };
  const grown = replaceFields(schema, collectionId, (fields) => [
    ...fields,
    field,
  ]);
  const made = { id: target, label, fields: [] };
  setSchema(editor, `Add the field ${label}`, [
    ...grown,
    ...("target" in field ? [made] : []),
  ]);
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
    fields.map((one) => (one.name === name ? field : one)),
  );
  setSchema(editor, `Change the field ${name}`, next, thread);
}

/** Takes a field away, and the lists that nothing leads to any more. */
export function removeField(
  editor: Editor,
  collectionId: string,
  name: string,
): void {
  const { schema } = editor.definition.peek();
  const before = reached(schema);
  const less = replaceFields(schema, collectionId, (fields) =>
    fields.filter((one) => one.name !== name),
  );
  const after = reached(less);
  const left = less.filter(({ id }) => after.has(id) || !before.has(id));
  setSchema(editor, `Delete the field ${name}`, left);
}

export function moveField(
  editor: Editor,
  collectionId: string,
  index: number,
  by: 1 | -1,
): void {
  const { schema } = editor.definition.peek();
  const next = replaceFields(schema, collectionId, (fields) =>
    moved(fields, index, by),
  );
  setSchema(editor, "Move a field", next);
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

export function isLinkType(
  type: FieldType,
): type is "OneToOneLink" | "OneToManyLink" {
  return type === "OneToOneLink" || type === "OneToManyLink";
}

function withRoot(schema: Schema): Schema {
  return schema.length > 0 ? schema : [rootOf(schema)];
}

function replaceFields(
  schema: Schema,
  collectionId: string,
  change: (fields: readonly Field[]) => Field[],
): DataCollection[] {
  return schema.map((one) =>
    one.id === collectionId ? { ...one, fields: change(one.fields) } : one,
  );
}

/** What links lead to from the record, over any number of steps. */
function reached(schema: Schema): Set<string> {
  const found = new Set<string>();
  const walk = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    const fields = schema.find((one) => one.id === id)?.fields ?? [];
    for (const field of fields) if ("target" in field) walk(field.target);
  };
  walk(rootOf(schema).id);
  return found;
}
