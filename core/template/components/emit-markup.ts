import { markdownToHtml, sanitizeMarkup } from "../binding/index.js";
import { fetchImages } from "../assets/fetch-images.js";
import type { ComponentOf } from "../definition/component-schema.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

// Markup that a template or a record brings along. Data is merged into it first, and the whole is made harmless.

export function emitMarkdown(
  component: ComponentOf<"markdown">,
  site: Site,
): string {
  const source = site.compiled(component.value, "plain");
  const html = site.value((scope, run) =>
    fetchImages(markdownToHtml(source(scope)).html, run.assets),
  );
  return `<div${attributes(component, site, { classes: ["markdown"] })}>${html}</div>`;
}

export function emitHtml(component: ComponentOf<"html">, site: Site): string {
  const source = site.compiled(component.value, "plain");
  const html = site.value((scope, run) =>
    fetchImages(sanitizeMarkup(source(scope)), run.assets),
  );
  return `<div${attributes(component, site, { classes: ["markdown"] })}>${html}</div>`;
}
