import { SafeHtml, type OutputContext } from "../types.js";
import { toText } from "../value/text.js";
import { escapeHtml } from "./escape-html.js";
import { safeCss } from "./safe-css.js";

/** One value as it is printed in each context; a URL is looked at when it is whole. */
export const writeValue: Readonly<
  Record<OutputContext, (value: unknown) => string>
> = {
  html: (value) =>
    value instanceof SafeHtml ? value.html : escapeHtml(toText(value)),
  attribute: (value) => escapeHtml(toText(value)),
  url: toText,
  css: (value) => safeCss(toText(value)),
  plain: toText,
};
