import type {
  Component,
  ComponentType,
} from "../../../../core/plugin-api/definition.js";
import { getCatalogEntry, COMPONENT_TYPES } from "./catalog.js";
import type { Editor } from "./editor.js";
import { createCopies, insertAtSpots, insertComponents } from "./edits.js";
import { nearestSpot } from "./placement.js";
import { fillCells } from "./table-edits.js";
import { type Entry, getSlots, type ListKey, type Spot } from "./tree.js";
import { t } from "../../messages/index.js";

// Copies are JSON text, which people and assistants can read and which can be pasted into other templates.

/** The number of pasted components, or why nothing was pasted. */
type PasteResult = { count: number } | { fault: string };

export function toClipboardText(entries: readonly Entry[]): string {
  const components = entries.map(({ component }) => component);
  return JSON.stringify({ platen: 1, components }, null, 2);
}

/** Pastes a clipboard's text at the selection, as one step. */
export function pasteText(editor: Editor, text: string): PasteResult {
  if (text.trim() === "") return { fault: t("edits.thereIsNothingToPaste") };
  const clip = readClip(text);
  if ("fault" in clip) return clip;
  const { components } = clip;
  const types = components.map(({ type }) => type);
  const foreign = findForeignType(editor, components);
  if (foreign) {
    const component = getCatalogEntry(foreign).words;
    return {
      fault:
        editor.templateType === "email"
          ? t("edits.onlyInDocuments", { component })
          : t("edits.onlyInEmails", { component }),
    };
  }
  const filled = fillCells(editor, components);
  if (filled > 0) return { count: filled };
  const spot =
    findSpotAfterOriginal(editor, components) ??
    nearestToSelection(editor, types);
  if (!spot) return { fault: describeNoPlace(types) };
  const copies = createCopies(editor, components);
  insertComponents(editor, copies, spot, t("arrange.paste"));
  return { count: components.length };
}

function nearestToSelection(
  editor: Editor,
  types: readonly ComponentType[],
): Spot | null {
  const last = editor.selection.peek().at(-1);
  return nearestSpot(editor, types, last?.id ?? null);
}

/** A copy of a selected component goes after the selection and not into it. */
function findSpotAfterOriginal(
  editor: Editor,
  components: readonly Component[],
): Spot | null {
  const selected = editor.selection.peek();
  const last = selected.at(-1);
  const isCopy = selected.some((entry) =>
    components.some(({ id }) => id === entry.id),
  );
  if (!last || !isCopy) return null;
  const { list, index } = last.spot;
  return { list, index: index + 1 };
}

/**
 * Adds copies of components after the last of them in each list, as one step, and selects the copies.
 * @param entries in document order, none inside another
 */
export function duplicateComponents(
  editor: Editor,
  entries: readonly Entry[],
): void {
  const [first] = entries;
  if (!first) return;
  const copies = createCopies(
    editor,
    entries.map(({ component }) => component),
  );
  const inserts = new Map<ListKey, { components: Component[]; spot: Spot }>();
  for (const [at, { spot }] of entries.entries()) {
    const before = inserts.get(spot.list)?.components ?? [];
    const components = [...before, ...copies.slice(at, at + 1)];
    const after = { list: spot.list, index: spot.index + 1 };
    inserts.set(spot.list, { components, spot: after });
  }
  const component = getCatalogEntry(first.component.type).words;
  const name =
    entries.length === 1
      ? t("edits.duplicateComponent", { component })
      : t("edits.duplicateComponents", { count: entries.length });
  insertAtSpots(editor, [...inserts.values()], name);
}

/** A type, at any depth, that this kind of template does not allow. */
function findForeignType(
  editor: Editor,
  components: readonly Component[],
): ComponentType | null {
  const { design, templateType } = editor;
  const refused =
    templateType === "email" ? design.documentOnly : design.emailOnly;
  for (const component of components) {
    if (refused.includes(component.type)) return component.type;
    const inner = getSlots(component).flatMap((slot) => slot.components);
    const foreignType = findForeignType(editor, inner);
    if (foreignType) return foreignType;
  }
  return null;
}

function describeNoPlace(types: readonly ComponentType[]): string {
  const [type = "text"] = types;
  const { words } = getCatalogEntry(type);
  const message = types
    .map((componentType) => parentNeeded[componentType])
    .find(Boolean);
  return t(message ?? "edits.cannotPlaceHere", { component: words });
}

const parentNeeded: Partial<
  Record<ComponentType, `edits.needs${"Table" | "Row" | "Columns" | "List"}`>
> = {
  "table-row": "edits.needsTable",
  "table-cell": "edits.needsRow",
  column: "edits.needsColumns",
  "list-item": "edits.needsList",
};

/** The components of a clipboard's text, or why it contains none. */
type Clip = { components: Component[] } | { fault: string };

/** Reads a clipboard's text: components as JSON (also a whole definition or a fenced block), a table, or plain text. */
function readClip(text: string): Clip {
  const json = parseJson(text);
  if (json === undefined) return { components: [fromPlainText(text)] };
  const list = toList(json);
  if (!list || list.length === 0)
    return { fault: t("edits.clipboardHasNoComponents") };
  const fault = list.map(findProblem).find((problem) => problem !== null);
  if (fault !== undefined) return { fault };
  // Each was checked above, with its children.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { components: list as Component[] };
}

/** Undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  const fenced = /^\s*```(?:json)?\n(?<inside>[^]*?)\n```\s*$/.exec(text);
  const source = (fenced?.groups?.["inside"] ?? text).trim();
  if (!/^[[{]/.test(source) || source.startsWith("{{")) return undefined;
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function toList(json: unknown): unknown[] | null {
  if (Array.isArray(json)) return json;
  if (typeof json !== "object" || json === null) return null;
  if ("type" in json) return [json];
  return "components" in json ? toList(json.components) : null;
}

/** The properties without which the canvas cannot draw a component. */
const requiredProperties: Partial<Record<ComponentType, readonly string[]>> = {
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

function findProblem(json: unknown): string | null {
  if (typeof json !== "object" || json === null || !("type" in json))
    return t("edits.clipboardItemWithoutType");
  const type = COMPONENT_TYPES.find((candidate) => candidate === json.type);
  if (!type)
    return t("edits.unknownComponentTypeType", { type: String(json.type) });
  const missing = requiredProperties[type]?.find((name) => !(name in json));
  if (missing !== undefined)
    return t("edits.needsProperty", {
      component: getCatalogEntry(type).words,
      missing,
    });
  const inner = [
    "components" in json ? json.components : [],
    part(json, "condition", "else"),
    part(json, "collection", "empty"),
  ];
  if (!inner.every((list) => Array.isArray(list)))
    return t("edits.hasNoComponents", {
      component: getCatalogEntry(type).words,
    });
  return inner
    .flat()
    .reduce<string | null>(
      (problem, child: unknown) => problem ?? findProblem(child),
      null,
    );
}

function part(owner: object, key: string, name: string): unknown {
  const inner: unknown = Reflect.get(owner, key);
  if (typeof inner !== "object" || inner === null) return [];
  return Reflect.get(inner, name) ?? [];
}

/** Plain text, or the cells of a spreadsheet whose first row is the header. */
function fromPlainText(text: string): Component {
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
