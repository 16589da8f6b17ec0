import { attributes } from "../components/attributes.js";
import { emitOwn } from "../components/emit-component.js";
import { emitGuarded } from "../components/emit-guarded.js";
import type { Site } from "../components/site.js";
import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import { DOCUMENT_ONLY } from "../../definition/schema/placement.js";
import { columnShares } from "./column-shares.js";
import { gapPx } from "./gap-px.js";

/** Inside an element of MJML that takes HTML: guards stand bare, and columns are the cells of a table. */
export function htmlSite(site: Site): Site {
  return site.within({
    pen: site.pen.tagging((tag) => tag),
    draw: drawHtml,
    lineEnds: "elements",
  });
}

/** Between the elements of MJML, which drops what is none: there `mj-raw` carries the guards. */
export function mjmlSite(site: Site): Site {
  const pen = site.pen.tagging((tag) => `<mj-raw>${tag}</mj-raw>`);
  return site.within({ pen });
}

function drawHtml(component: Component, site: Site): string {
  return emitGuarded(component, site, drawHtmlOwn, (list, around, suffix) =>
    around.children(list, suffix),
  );
}

/** A component as HTML, without its guards. */
export function drawHtmlOwn(component: Component, site: Site): string {
  if (DOCUMENT_ONLY.has(component.type)) return "";
  if (component.type === "columns") return drawColumns(component, site);
  if (component.type === "column") return drawColumn(component, site);
  return emitOwn(component, site);
}

function drawColumns(component: ComponentOf<"columns">, site: Site): string {
  const { components } = component;
  const shares = columnShares(components, site.width);
  const between = gapPx(component.gap, site.width);
  const cells = components.map((_column, index) => {
    const width = (site.width * (shares[index] ?? 100)) / 100;
    const gap = index === 0 ? "0" : `${between}px`;
    return site.within({ width, gap }).child(components, index);
  });
  return (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"' +
    `${attributes(component, site)}><tr>${cells.join("")}</tr></table>`
  );
}

function drawColumn(component: ComponentOf<"column">, site: Site): string {
  const opening = attributes(component, site, {
    style: {
      width: `${Math.round(site.width)}px`,
      "vertical-align": "top",
      ...(site.gap !== "0" && { "padding-left": site.gap }),
    },
  });
  return `<td${opening}>${site.children(component.components)}</td>`;
}
