import type {
  Component,
  ComponentType,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry, COMPONENT_TYPES } from "./catalog.js";
import { collectionNames, withFreeNames } from "./rename-collections.js";
import type { Editor } from "./editor.js";
import { insertComponents } from "./edits.js";
import { nearestSpot } from "./placement.js";
import { withNewIds, type Spot } from "./tree.js";

// Copies are text: what people and assistants can read, and other templates and windows can take.

/** What came of it: how many components are there now, or why none is, in words. */
type Pasted = { count: number } | { fault: string };

/** A component with all that it holds, as text for the clipboard; null when it is not there. */
export function clipOf(editor: Editor, id: string): string | null {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry) return null;
  return JSON.stringify({ platen: 1, components: [entry.component] }, null, 2);
}

/** Puts what a clipboard's text says to where the selection is, as one step. */
export function pasteText(editor: Editor, text: string): Pasted {
  if (text.trim() === "") return { fault: "There is nothing to paste." };
  const clip = readClip(text);
  if ("fault" in clip) return clip;
  const { components } = clip;
  const types = components.map(({ type }) => type);
  const strange = foreign(editor, components);
  if (strange)
    return { fault: `${catalogEntry(strange).words}: ${notHere(editor)}` };
  const spot = afterItself(editor, components) ?? nearestHere(editor, types);
  if (!spot) return { fault: noPlace(types) };
  putIn(editor, components, spot, "Paste");
  return { count: components.length };
}

function nearestHere(
  editor: Editor,
  types: readonly ComponentType[],
): Spot | null {
  return nearestSpot(editor, types, editor.selected.peek());
}

/** What was copied from where the selection still is goes beside it, and not into it. */
function afterItself(
  editor: Editor,
  components: readonly Component[],
): Spot | null {
  const selected = editor.selectedEntry.peek();
  if (!selected || !components.some(({ id }) => id === selected.id))
    return null;
  const { list, index } = selected.spot;
  return { list, index: index + 1 };
}

/** Puts a copy of a component after it, and selects it. */
export function duplicateComponent(editor: Editor, id: string): void {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry) return;
  const { list, index } = entry.spot;
  const { words } = catalogEntry(entry.component.type);
  const name = `Duplicate ${words.toLowerCase()}`;
  putIn(editor, [entry.component], { list, index: index + 1 }, name);
}

function putIn(
  editor: Editor,
  components: readonly Component[],
  spot: Spot,
  name: string,
): void {
  const { schema } = editor.definition.peek();
  const taken = new Set(collectionNames(allComponents(editor)));
  const free = withFreeNames(components, taken, schema);
  insertComponents(editor, free.map(withNewIds), spot, name);
}

function allComponents(editor: Editor): Component[] {
  const lists = [...editor.tree.peek().lists.values()];
  return lists
    .filter(({ ownerId }) => ownerId === null)
    .flatMap(({ components }) => components);
}

/** A type, at any depth, that templates of the other kind alone have. */
function foreign(
  editor: Editor,
  components: readonly Component[],
): ComponentType | null {
  const { design, templateType } = editor;
  const refused =
    templateType === "email" ? design.documentOnly : design.emailOnly;
  for (const one of components) {
    if (refused.includes(one.type)) return one.type;
    const inner = [
      ...(("components" in one && one.components) || []),
      ...(one.condition?.else ?? []),
      ...(one.collection?.empty ?? []),
    ];
    const found = foreign(editor, inner);
    if (found) return found;
  }
  return null;
}

function notHere({ templateType }: Editor): string {
  return templateType === "email"
    ? "only documents can have it, and this is an email."
    : "only emails can have it, and this is a document.";
}

function noPlace(types: readonly ComponentType[]): string {
  const homes: Partial<Record<ComponentType, string>> = {
    "table-row": "a table",
    "table-cell": "a row of a table",
    column: "columns",
    "list-item": "a list",
  };
  const [type = "text"] = types;
  const home = types.map((one) => homes[one]).find(Boolean);
  const { words } = catalogEntry(type);
  return home === undefined
    ? `${words} cannot stand here.`
    : `${words}: this goes into ${home}. Select one and paste again.`;
}

/** What was on a clipboard: components, or why they are none, in words. */
type Clip = { components: Component[] } | { fault: string };

/** The text of a clipboard as components: those of a copy, of a definition or of the guide, else words or a table. */
function readClip(text: string): Clip {
  const json = jsonOf(text);
  if (json === undefined) return { components: [plain(text)] };
  const list = listOf(json);
  if (!list || list.length === 0)
    return { fault: "There is no part of a template in what you copied." };
  const fault = list.map(faultOf).find((one) => one !== null);
  if (fault !== undefined) return { fault };
  // Each was looked at just now, with all that stands in it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { components: list as Component[] };
}

/** Undefined for what is words, and not meant as JSON. */
function jsonOf(text: string): unknown {
  const fenced = /^\s*```(?:json)?\n(?<inside>[^]*?)\n```\s*$/.exec(text);
  const source = (fenced?.groups?.["inside"] ?? text).trim();
  if (!/^[[{]/.test(source) || source.startsWith("{{")) return undefined;
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function listOf(json: unknown): unknown[] | null {
  if (Array.isArray(json)) return json;
  if (typeof json !== "object" || json === null) return null;
  if ("type" in json) return [json];
  return "components" in json ? listOf(json.components) : null;
}

/** Without these the page could not draw it. */
const needed: Partial<Record<ComponentType, readonly string[]>> = {
  heading: ["text"],
  text: ["text"],
  button: ["text", "href"],
  markdown: ["value"],
  html: ["value"],
  image: ["src"],
  spacer: ["height"],
  qrcode: ["value"],
  barcode: ["value", "symbology"],
  chart: ["chart", "data", "label", "series"],
  "sign-field": ["field", "name", "submitter"],
  hero: ["background", "components"],
  social: ["items"],
  preheader: ["text"],
  fragment: ["components"],
  container: ["components"],
  columns: ["components"],
  column: ["components"],
  list: ["components"],
  table: ["components"],
  "table-row": ["components"],
  section: ["components"],
};

function faultOf(json: unknown): string | null {
  if (typeof json !== "object" || json === null || !("type" in json))
    return "There is something without a type in what you copied.";
  const type = COMPONENT_TYPES.find((one) => one === json.type);
  if (!type) return `Platen has no part "${String(json.type)}".`;
  const missing = needed[type]?.find((name) => !(name in json));
  if (missing !== undefined)
    return `${catalogEntry(type).words} needs "${missing}".`;
  const inner = [
    "components" in json ? json.components : [],
    part(json, "condition", "else"),
    part(json, "collection", "empty"),
  ];
  if (!inner.every((one) => Array.isArray(one)))
    return `${catalogEntry(type).words} has no list of components.`;
  return inner
    .flat()
    .reduce<string | null>(
      (found, one: unknown) => found ?? faultOf(one),
      null,
    );
}

function part(owner: object, key: string, name: string): unknown {
  const inner: unknown = Reflect.get(owner, key);
  if (typeof inner !== "object" || inner === null) return [];
  return Reflect.get(inner, name) ?? [];
}

/** Words, or cells of a spreadsheet, whose first row is its head. */
function plain(text: string): Component {
  const words = text.replaceAll("\r\n", "\n").replace(/\n+$/, "");
  if (!words.includes("\t")) return { type: "text", text: words.trim() };
  const rows = words.split("\n").map((line) => line.split("\t"));
  const width = Math.max(...rows.map((row) => row.length));
  return {
    type: "table",
    components: rows.map((cells, index) => ({
      type: "table-row",
      ...(index === 0 && rows.length > 1 && { header: true }),
      components: Array.from({ length: width }, (_, column) => ({
        type: "table-cell" as const,
        text: (cells[column] ?? "").trim(),
      })),
    })),
  };
}
