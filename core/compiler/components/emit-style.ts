import {
  constantText,
  isConstantText,
  escapeHtml,
} from "../../definition/expressions/index.js";
import { literal } from "../compile/pen.js";
import type { Declarations } from "../style/named-styles.js";
import type { Site } from "./site.js";

/** The declarations of a style, as the value of a `style` attribute. */
export function emitStyle(style: Declarations, site: Site): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${emitValue(value, site)}`)
    .join(";");
}

function emitValue(source: string, site: Site): string {
  if (isConstantText(source)) return literal(escapeHtml(constantText(source)));
  const value = site.compiled(source, "css");
  return site.value((scope) => escapeHtml(value(scope)));
}
