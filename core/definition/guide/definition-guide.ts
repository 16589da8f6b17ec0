import { STYLE_PROPERTIES } from "../../plugin-api/index.js";
import { readFileSync } from "node:fs";
import {
  AGGREGATE_USAGES,
  FILTER_USAGES,
  FUNCTION_USAGES,
} from "../expressions/index.js";
import { OPERATORS } from "../schema/data-schema.js";
import {
  componentReference,
  propertyType,
  typeOf,
} from "./component-reference.js";

/**
 * Teaches an assistant or a person to write a definition: Markdown, under 20,000 characters. What the schema knows
 * (components, page, operators) is made from it; every example in it is compiled by a test.
 */
export function definitionGuide(): string {
  const text = readFileSync(new URL("./guide.md", import.meta.url), "utf8");
  const parts: Readonly<Record<string, string>> = {
    components: componentReference(),
    page: `\`${propertyType("page")}\``,
    email: `\`${propertyType("email")}\``,
    pdf: `\`pdf: ${typeOf("PdfSetup").replace("PdfSetup = ", "")}\``,
    margin: `\`${typeOf("Margin")}\``,
    band: `\`${typeOf("Band")}\``,
    operators: listed(OPERATORS, " "),
    aggregates: listed(AGGREGATE_USAGES),
    functions: listed(FUNCTION_USAGES),
    filters: listed(FILTER_USAGES),
    styles: STYLE_PROPERTIES.join(" "),
  };
  return text.replace(
    /<!-- (\w+) -->/g,
    (mark, name: string) => parts[name] ?? mark,
  );
}

function listed(words: readonly string[], separator = ", "): string {
  return words.map((word) => `\`${word}\``).join(separator);
}
