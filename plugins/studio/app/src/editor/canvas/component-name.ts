import type {
  Component,
  ComponentType,
  Text,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../model/catalog.js";

const mostLetters = 60;

/** Elements that HTML has a role and so a name for; others are groups. */
const ownRole: ReadonlySet<ComponentType> = new Set([
  "heading",
  "table",
  "table-row",
  "table-cell",
  "list",
  "list-item",
  "divider",
]);

/** What a component is called by those who do not see it. */
export function nameOf(component: Component): {
  role?: "group";
  "aria-label": string;
} {
  const { type } = component;
  const { words } = catalogEntry(type);
  const said = "text" in component ? plainText(component.text) : "";
  const label = said === "" ? words : `${words}: ${said}`;
  return ownRole.has(type)
    ? { "aria-label": label }
    : { role: "group", "aria-label": label };
}

/** Without marks, the names of fields in place of their expressions, and cut off where it gets long. */
export function plainText(text: Text | undefined): string {
  const parts = text === undefined || typeof text === "string" ? [text] : text;
  const whole = parts
    .map((part) => {
      if (typeof part === "string") return part;
      return part && "text" in part ? part.text : " ";
    })
    .join("");
  const plain = whole
    .replaceAll(/\{\{\s*(.*?)\s*\}\}/g, (_all, source: string) =>
      fieldName(source),
    )
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain.length > mostLetters
    ? `${plain.slice(0, mostLetters - 1)}…`
    : plain;
}

/** `line.amount | currency` is "amount". */
export function fieldName(expression: string): string {
  const path = expression.split("|")[0]?.trim() ?? "";
  return /^[\w$.]+$/.test(path) ? (path.split(".").at(-1) ?? path) : path;
}
