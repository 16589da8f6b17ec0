import { markdownToHtml } from "../binding/index.js";
import type { ComponentOf } from "../definition/component-schema.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

/** Markdown is read after the data is merged into it, so a record may bring its own. */
export function emitMarkdown(
  component: ComponentOf<"markdown">,
  site: Site,
): string {
  const source = site.compiled(component.value, "plain");
  const html = site.value((scope) => markdownToHtml(source(scope)).html);
  return `<div${attributes(component, site, { classes: ["markdown"] })}>${html}</div>`;
}
