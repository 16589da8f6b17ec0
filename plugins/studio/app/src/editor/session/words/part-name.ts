import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../../model/catalog.js";
import { valueWords } from "./value-words.js";

const mostLetters = 40;

/** How a component is called among others: "Heading “Invoice”". */
export function partName(component: Component): string {
  const { words } = catalogEntry(component.type);
  const text = "text" in component ? component.text : undefined;
  if (text === undefined || text.length === 0) return words;
  const said = valueWords(text);
  const short =
    said.length > mostLetters ? `${said.slice(0, mostLetters - 1)}…` : said;
  return `${words} “${short}”`;
}
