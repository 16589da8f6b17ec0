import { toPx } from "../../definition/page/paper.js";
import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import { DOCUMENT_ONLY } from "../../definition/schema/placement.js";
import {
  columnExtents,
  resolve,
  WHOLE,
  DEFAULT_GAP,
} from "../column-layout.js";
import { emitAddress, whenShown } from "../components/emit-blocks.js";
import { emitGuarded, emitOwn } from "../components/emit-component.js";
import type { Site } from "../components/emit-context.js";
import { emitText, attributes } from "../components/emit-text.js";
import { declared } from "./email-style.js";
import {
  attributesFrom,
  partStyle,
  writeAttributes,
  alignOf,
  constantAttribute,
} from "./mjml-attributes.js";

// What stands in a column of an email: each component is an MJML element of its own, which becomes a row.

/** @param inset the padding of what names none */
export function drawContents(
  list: readonly Component[],
  site: Site,
  inset: string,
  suffix = ".components",
): string {
  return list
    .map((component, index) => {
      const path = `${site.path}${suffix}[${index}]`;
      return drawContent(component, site.within({ path }), inset);
    })
    .join("");
}

export function drawContent(
  component: Component,
  site: Site,
  inset: string,
): string {
  return emitGuarded(
    component,
    site,
    (one, inside) => drawElement(one, inside, inset),
    (list, around, suffix) => drawContents(list, around, inset, suffix),
  );
}

function drawElement(component: Component, site: Site, inset: string): string {
  switch (component.type) {
    case "fragment":
      return drawContents(component.components, site, inset);
    case "image":
      return drawImage(component, site);
    case "button":
      return drawButton(component, site, inset);
    case "divider":
      return drawDivider(component, site, inset);
    case "spacer":
      return drawSpacer(component);
    case "social":
      return drawSocial(component, site, inset);
    default:
      return drawText(component, site, inset);
  }
}

const TEXT_ATTRIBUTES = {
  padding: "padding",
  "padding-top": "padding-top",
  "padding-right": "padding-right",
  "padding-bottom": "padding-bottom",
  "padding-left": "padding-left",
  "background-color": "container-background-color",
};

/** Text, and all that has no element in MJML: HTML in an `mj-text`, which carries its padding and its ground. */
function drawText(component: Component, site: Site, inset: string): string {
  const { type } = component;
  if (DOCUMENT_ONLY.has(type) || type === "preheader") return "";
  const { taken, rest } = partStyle(
    declared(component, site.look),
    TEXT_ATTRIBUTES,
  );
  const attributes = {
    padding: inset,
    ...attributesFrom(taken, TEXT_ATTRIBUTES),
  };
  const inner = { ...component, class: undefined, style: rest };
  const html = drawHtmlOwn(inner, htmlSite(site));
  return `<mj-text${writeAttributes(attributes)}>${html}</mj-text>`;
}

// Components that MJML has elements for.

const ELEMENT_BOX = {
  margin: "padding",
  "margin-top": "padding-top",
  "margin-bottom": "padding-bottom",
  "border-radius": "border-radius",
  "text-align": "align",
};

const IMAGE_ATTRIBUTES = {
  ...ELEMENT_BOX,
  padding: "padding",
  border: "border",
};

function drawImage(component: ComponentOf<"image">, site: Site): string {
  const { alt = "", width, height } = component;
  const style = declared(component, site.look);
  const element = linked(component.href, site, (href) => {
    const attributes = {
      src: emitAddress(component, site),
      alt: site.text(alt, "attribute"),
      href,
      width: width === undefined ? undefined : lengthIn(width, site.width),
      height: height === undefined ? undefined : lengthIn(height, site.width),
      align: alignOf(style) ?? "left",
      padding: "0",
      ...attributesFrom(style, IMAGE_ATTRIBUTES),
    };
    return `<mj-image${writeAttributes(attributes)}/>`;
  });
  return whenShown(component, site, element);
}

/**
 * MJML draws another element where there is no address, so that the record decides on it.
 * @param element written with an address, and without
 */
function linked(
  href: string | undefined,
  site: Site,
  element: (address: string | undefined) => string,
): string {
  if (href === undefined) return element(undefined);
  const address = site.compiled(href, "url");
  return site.whenTrue(
    (scope) => address(scope) !== "",
    element(site.text(href, "url")),
    element(undefined),
  );
}

const BUTTON_ATTRIBUTES = {
  ...ELEMENT_BOX,
  padding: "inner-padding",
  "background-color": "background-color",
  background: "background-color",
  border: "border",
  color: "color",
  "font-family": "font-family",
  "font-size": "font-size",
  "font-style": "font-style",
  "font-weight": "font-weight",
  "letter-spacing": "letter-spacing",
  "line-height": "line-height",
  "text-decoration": "text-decoration",
  "text-transform": "text-transform",
  width: "width",
};

function drawButton(
  component: ComponentOf<"button">,
  site: Site,
  inset: string,
): string {
  const style = declared(component, site.look);
  const attributes = {
    padding: inset,
    align: alignOf(style),
    ...attributesFrom(style, BUTTON_ATTRIBUTES),
  };
  const text = emitText(component.text, htmlSite(site));
  return linked(
    component.href,
    site,
    (href) =>
      `<mj-button${writeAttributes({ href, ...attributes })}>${text}</mj-button>`,
  );
}

const DIVIDER_ATTRIBUTES = {
  margin: "padding",
  padding: "padding",
  width: "width",
  "border-color": "border-color",
  "border-top-color": "border-color",
  "border-style": "border-style",
  "border-top-style": "border-style",
  "border-width": "border-width",
  "border-top-width": "border-width",
};

function drawDivider(
  component: ComponentOf<"divider">,
  site: Site,
  inset: string,
): string {
  const style = declared(component, site.look);
  const attributes = {
    padding: inset,
    ...borderAttributes(style["border-top"] ?? style["border"]),
    ...attributesFrom(style, DIVIDER_ATTRIBUTES),
  };
  return `<mj-divider${writeAttributes(attributes)}/>`;
}

/** `1px solid #ccc` as MJML wants it, in three. */
function borderAttributes(border: string | undefined) {
  const words = /^([\d.]+\w+)\s+(\w+)\s+([^{}]+)$/.exec(border ?? "");
  if (words === null) return {};
  const [, width = "", line = "", color = ""] = words;
  return {
    "border-width": lengthIn(width, 0),
    "border-style": line,
    "border-color": constantAttribute(color),
  };
}

function drawSpacer({ height }: ComponentOf<"spacer">): string {
  return `<mj-spacer height="${lengthIn(height, 0)}"/>`;
}

/** As they write themselves, where that is not with a capital alone. */
export const NETWORKS: ReadonlyMap<string, string> = new Map([
  ["github", "GitHub"],
  ["linkedin", "LinkedIn"],
  ["tiktok", "TikTok"],
  ["whatsapp", "WhatsApp"],
  ["x", "X"],
  ["youtube", "YouTube"],
]);

/** Links in words: icons would have to be loaded from somebody's server. */
function drawSocial(
  component: ComponentOf<"social">,
  site: Site,
  inset: string,
): string {
  const style = declared(component, site.look);
  const attributes = attributesFrom(style, {
    padding: "padding",
    "text-align": "align",
    color: "color",
    "font-family": "font-family",
    "font-size": "font-size",
  });
  const links = component.items.map(({ network, href }) => {
    const address = htmlSite(site).text(href, "url");
    const name = constantAttribute(networkName(network));
    return `<a href="${address}" style="color:inherit;text-decoration:underline">${name}</a>`;
  });
  return `<mj-text${writeAttributes({ padding: inset, align: "center", ...attributes })}>${links.join(" &#160; ")}</mj-text>`;
}

function networkName(network: string): string {
  const known = NETWORKS.get(network.toLowerCase());
  return known ?? network.charAt(0).toUpperCase() + network.slice(1);
}

/** MJML takes whole px. @param of what a percentage is of */
function lengthIn(length: string, of: number): string {
  const percent = /^([\d.]+)%$/.exec(length)?.[1];
  const px =
    percent === undefined ? toPx(length) : (Number(percent) / 100) * of;
  return `${Math.round(px ?? 16 * Number.parseFloat(length))}px`;
}

/** Inside an element of MJML that takes HTML: guards stand bare, and columns are the cells of a table. */
function htmlSite(site: Site): Site {
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
function drawHtmlOwn(component: Component, site: Site): string {
  if (DOCUMENT_ONLY.has(component.type)) return "";
  if (component.type === "columns") return drawHtmlColumns(component, site);
  if (component.type === "column") return drawHtmlColumn(component, site);
  return emitOwn(component, site);
}

function drawHtmlColumns(
  component: ComponentOf<"columns">,
  site: Site,
): string {
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

function drawHtmlColumn(component: ComponentOf<"column">, site: Site): string {
  const opening = attributes(component, site, {
    style: {
      width: `${Math.round(site.width)}px`,
      "vertical-align": "top",
      ...(site.gap !== "0" && { "padding-left": site.gap }),
    },
  });
  return `<td${opening}>${site.children(component.components)}</td>`;
}

/** What each column takes of a row `width` px wide, in percent: those without a width share what the others leave. */
export function columnShares(
  columns: readonly Component[],
  width: number,
): number[] {
  const extents = columnExtents({ gap: "0", components: columns }, WHOLE);
  return columns.map((_column, index) => {
    const extent = extents?.[index];
    if (extent === undefined) return 100 / columns.length;
    const part = resolve(extent.right, width) - resolve(extent.left, width);
    return Number(((part / width) * 100).toFixed(3));
  });
}

/** The room between two columns of a row `width` px wide, in whole px: mail programs know nothing else. */
export function gapPx(gap: string = DEFAULT_GAP, width: number): number {
  const percent = /^([\d.]+)%$/.exec(gap)?.[1];
  const px =
    percent === undefined ? toPx(gap) : (width * Number(percent)) / 100;
  return Math.round(px ?? DEFAULT_PX);
}

const DEFAULT_PX = 24;
