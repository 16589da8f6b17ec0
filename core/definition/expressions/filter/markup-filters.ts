import { chargeMarkup } from "../output/charge-markup.js";
import { escapeHtml } from "../output/escape-html.js";
import { markdownToHtml } from "../output/markdown.js";
import { SafeHtml } from "../types.js";
import { toText } from "../value/text.js";
import type { FilterDefinition } from "./filter-definition.js";

const markdown: FilterDefinition = {
  usage: "markdown",
  least: 0,
  most: 0,
  bind: () => (value, context) =>
    value instanceof SafeHtml
      ? value
      : markdownToHtml(chargeMarkup(toText(value), context)),
};

/** Line ends become line breaks, written so that XML can be read too; everything else is escaped. */
const nl2br: FilterDefinition = {
  usage: "nl2br",
  least: 0,
  most: 0,
  bind: () => (value) => {
    if (value instanceof SafeHtml) return value;
    const text = toText(value);
    const html = escapeHtml(text).replaceAll(/\r\n|\r|\n/g, "<br/>");
    return new SafeHtml(html, text);
  },
};

export const markupFilters = { markdown, nl2br };
