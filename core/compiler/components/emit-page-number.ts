import { escapeHtml } from "../../definition/expressions/index.js";
import { literal } from "../compile/pen.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

export const DEFAULT_FORMAT = "{page}";

export function emitPageNumber(
  component: ComponentOf<"page-number">,
  site: Site,
): string {
  const { page, pages } = site.numbers;
  const text = literal(escapeHtml(component.format ?? DEFAULT_FORMAT))
    .replaceAll("{page}", page)
    .replaceAll("{pages}", pages);
  return `<p${attributes(component, site)}>${text}</p>`;
}
