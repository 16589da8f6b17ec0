import type {
  FieldReference,
  KeyPath,
  ValueChange,
} from "../../../../core/definition/views.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { ask, Refusal } from "../../api.js";
import { getCatalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { regionWords } from "../model/placement.js";
import type { Entry } from "../model/tree.js";
import { describeSchemaProperty } from "../session/descriptions.js";
import { t } from "../../messages/index.js";

const EXPRESSION = /\{\{[^]*?\}\}/g;

/** Describes each place that uses a field: "Text: Dear …". Rejects with Refusal. */
export async function findFieldUses(
  editor: Editor,
  collectionId: string,
  name: string,
): Promise<string[]> {
  const definition = editor.definition.peek();
  const question: FieldReference = { definition, collectionId, name };
  const at = "drafts/field-uses";
  const { uses } = await ask<{ uses: KeyPath[] }>(at, "POST", question);
  return uses.map((path) => describePlace(editor, definition, path));
}

/** Renames a field in the schema, the sample and wherever it is used, as one step. Rejects with Refusal. */
export async function renameField(
  editor: Editor,
  collectionId: string,
  name: string,
  to: string,
): Promise<void> {
  const definition = editor.definition.peek();
  const question = { definition, collectionId, name, to };
  const { changes } = await ask<{ changes: ValueChange[] }>(
    "drafts/rename-field",
    "POST",
    question,
  );
  if (editor.definition.peek() !== definition)
    throw new Refusal(409, t("fields.templateJustChanged"));
  editor.change(t("fields.renameFieldName", { name }), (draft) => {
    for (const { path, value } of changes) setValue(draft, path, value);
  });
}

/** The path exists: the server computed it for this definition. */
function setValue(draft: object, path: KeyPath, value: unknown): void {
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((node, key) => Reflect.get(Object(node), key), draft);
  const key = path.at(-1);
  if (typeof owner === "object" && owner !== null && key !== undefined)
    Reflect.set(owner, key, value);
}

function describePlace(
  editor: Editor,
  definition: ProjectData,
  path: KeyPath,
): string {
  const entry = findEntryAt(editor, definition, path);
  if (!entry) return describeTemplateProperty(path);
  const { component, region } = entry;
  const { words } = getCatalogEntry(component.type);
  const text = "text" in component ? toPlainText(component.text) : "";
  const named = text === "" ? words : `${words}: ${text}`;
  return region === "body" ? named : `${regionWords[region]} › ${named}`;
}

/** The innermost component that contains the path. */
function findEntryAt(
  editor: Editor,
  definition: ProjectData,
  path: KeyPath,
): Entry | undefined {
  const { entries } = editor.tree.peek();
  let entry: Entry | undefined;
  let value: unknown = definition;
  for (const key of path) {
    value = Reflect.get(Object(value), key);
    const id: unknown =
      typeof value === "object" && value !== null && "type" in value
        ? Reflect.get(value, "id")
        : undefined;
    entry = (typeof id === "string" && entries.get(id)) || entry;
  }
  return entry;
}

/** For example "File name" and "Email › Subject". */
function describeTemplateProperty(path: KeyPath): string {
  const [first, ...rest] = path.filter((key) => typeof key === "string");
  const isSigning = first === "schema";
  const names = isSigning ? ["submitters"] : [first ?? "", ...rest.slice(0, 1)];
  return describeSchemaProperty(names);
}

function toPlainText(text: unknown): string {
  const whole = typeof text === "string" ? text : "";
  return whole.replaceAll(EXPRESSION, "…").trim().slice(0, 40);
}
