import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { attributes } from "./attributes.js";
import { emitCells } from "./emit-table.js";
import { emitText, hasMarkdown } from "./emit-text.js";
import type { Site } from "./site.js";

// Components that become one element, or none.

export function emitFragment(
  component: ComponentOf<"fragment">,
  site: Site,
): string {
  const { components } = component;
  return site.table?.isRow
    ? emitCells(components, site)
    : site.children(components);
}

export function emitContainer(
  component: ComponentOf<"container">,
  site: Site,
): string {
  return `<div${attributes(component, site)}>${site.children(component.components)}</div>`;
}

export function emitHeading(
  component: ComponentOf<"heading">,
  site: Site,
): string {
  const name = `h${component.level ?? 1}`;
  return `<${name}${attributes(component, site)}>${emitText(component.text, site)}</${name}>`;
}

/** A paragraph; Markdown in it may bring paragraphs of its own, which cannot stand inside of one. */
export function emitTextBlock(
  component: ComponentOf<"text">,
  site: Site,
): string {
  if (hasMarkdown(component.text))
    return `<div${attributes(component, site, { classes: ["markdown"] })}>${emitText(component.text, site)}</div>`;
  return `<p${attributes(component, site)}>${emitText(component.text, site)}</p>`;
}

export function emitDivider(
  component: ComponentOf<"divider">,
  site: Site,
): string {
  return `<hr${attributes(component, site)}/>`;
}

export function emitSpacer(
  component: ComponentOf<"spacer">,
  site: Site,
): string {
  return `<div${attributes(component, site, { style: { height: component.height } })}></div>`;
}

export function emitPageBreak(
  component: ComponentOf<"page-break">,
  site: Site,
): string {
  return `<div${attributes(component, site, { classes: ["page-break"] })}></div>`;
}
