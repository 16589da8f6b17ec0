import type {
  Component,
  ComponentType,
} from "../../../../../../../core/plugin-api/definition.js";
import { catalogEntry, COMPONENT_TYPES } from "../catalog.js";

/** What was on a clipboard: components, or why they are none, in words. */
export type Clip = { components: Component[] } | { fault: string };

/** The text of a clipboard as components: those of a copy, of a definition or of the guide, else words or a table. */
export function readClip(text: string): Clip {
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
