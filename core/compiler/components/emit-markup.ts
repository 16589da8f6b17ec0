import {
  chargeMarkup,
  markdownToHtml,
  sanitizeMarkup,
} from "../../definition/expressions/index.js";
import { fetchImages } from "../assets/fetch-images.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

// Markup that a template or a record brings along. Data is merged into it first, and the whole is made harmless.

type Markup = ComponentOf<"markdown"> | ComponentOf<"html">;

export function emitMarkdown(
  component: ComponentOf<"markdown">,
  site: Site,
): string {
  return emitMarkup(component, site, (source) => markdownToHtml(source).html);
}

export function emitHtml(component: ComponentOf<"html">, site: Site): string {
  return emitMarkup(component, site, sanitizeMarkup);
}

function emitMarkup(
  component: Markup,
  site: Site,
  harmless: (source: string) => string,
): string {
  const source = site.compiled(component.value, "plain");
  const html = site.value((scope, run) => {
    const markup = chargeMarkup(source(scope), scope.context);
    return fetchImages(harmless(markup), run.assets);
  });
  return `<div${attributes(component, site, { classes: ["markdown"] })}>${html}</div>`;
}
