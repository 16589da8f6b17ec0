import { readFileSync } from "node:fs";
import { OPERATORS } from "../definition/data-schema.js";
import { componentReference, propertyType } from "./component-reference.js";

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
    operators: OPERATORS.map((one) => `\`${one}\``).join(" "),
  };
  return text.replace(
    /<!-- (\w+) -->/g,
    (mark, name: string) => parts[name] ?? mark,
  );
}
