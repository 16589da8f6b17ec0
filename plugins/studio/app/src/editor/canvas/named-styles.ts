import type { Style } from "../../../../../../core/plugin-api/definition.js";
import { isVariable } from "./canvas-state.js";
import { loads } from "./loads.js";
import { printFonts } from "./print-fonts.js";

/**
 * Fills a style sheet with the named styles, each a class, as print has them. Set by property and never as text: a
 * draft may hold anything.
 */
export function writeNamedStyles(
  sheet: CSSStyleSheet,
  styles: Readonly<Record<string, Style>>,
  aliases: Readonly<Record<string, string>>,
): void {
  while (sheet.cssRules.length > 0) sheet.deleteRule(0);
  for (const [name, style] of Object.entries(styles)) {
    if (isVariable(style)) continue;
    const { length } = sheet.cssRules;
    sheet.insertRule(`:where(.sheet) .c-${CSS.escape(name)}{}`, length);
    const rule = sheet.cssRules[length];
    if (!(rule instanceof CSSStyleRule)) continue;
    for (const [property, value] of Object.entries(style)) {
      if (loads(value)) continue;
      rule.style.setProperty(
        property,
        property === "font-family" ? printFonts(value, aliases) : value,
      );
    }
  }
}
