import type { Style } from "../../../../../../core/plugin-api/definition.js";

/** The part of a style that is the same for every record. */
export function fixedStyle(style: Style): Record<string, string> {
  const entries = Object.entries(style).filter(
    ([, value]) => !value.includes("{{"),
  );
  return Object.fromEntries(entries);
}
