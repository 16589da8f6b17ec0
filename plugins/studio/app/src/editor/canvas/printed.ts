import type { DraftFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import { getExpression, parseTemplate } from "../text/template-parts.js";

/**
 * A Template of a component as the sample fills it; null when the service has not told some of it, as it does not
 * while it has not answered yet.
 */
export function printed(
  template: string,
  id: string | undefined,
  facts: DraftFacts | null,
): string | null {
  if (!template.includes("{{")) return template;
  const values = facts?.values[id ?? ""] ?? {};
  const parts = parseTemplate(template).map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "break") return "\n";
    if (part.kind === "braces") return "{{";
    return values[getExpression(part.source)] ?? null;
  });
  return parts.includes(null) ? null : parts.join("");
}
