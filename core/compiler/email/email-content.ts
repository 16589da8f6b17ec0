import {
  columnShares,
  gapPx,
  getAlign,
  innerWidth,
  ROW_ATTRIBUTES,
  toPx,
} from "../../definition/page/layout.js";
import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import { DOCUMENT_ONLY } from "../../definition/schema/placement.js";
import { emitAddress, whenShown } from "../components/emit-blocks.js";
import { emitWithGuards, emitOwn } from "../components/emit-component.js";
import { emitMjmlMarkup } from "../components/emit-markup.js";
import {
  type EmitContext,
  emitText,
  emitAttributes,
  emitStyle,
} from "../components/emit-context.js";
import { drawSocialIcon, safeColor } from "../drawing/index.js";
import type { Declarations } from "../styles.js";
import {
  type Attributes,
  attributesFrom,
  partStyle,
  writeAttributes,
  constantAttribute,
} from "./mjml-attributes.js";

// Components in a column of an email: each becomes an MJML element, which is a row of the column.

/** @param inset the default padding */
export function drawContents(
  list: readonly Component[],
  context: EmitContext,
  inset: string,
  suffix = ".components",
): string {
  return list
    .map((component, index) => {
      const path = `${context.path}${suffix}[${index}]`;
      return drawContent(component, context.within({ path }), inset);
    })
    .join("");
}

export function drawContent(
  component: Component,
  context: EmitContext,
  inset: string,
): string {
  return emitWithGuards(
    component,
    context,
    (target, inside) => drawElement(target, inside, inset),
    (list, settings, suffix) => drawContents(list, settings, inset, suffix),
  );
}

function drawElement(
  component: Component,
  context: EmitContext,
  inset: string,
): string {
  switch (component.type) {
    case "fragment":
      return drawContents(component.components, context, inset);
    case "image":
      return drawImage(component, context);
    case "button":
      return drawButton(component, context, inset);
    case "divider":
      return drawDivider(component, context, inset);
    case "spacer":
      return drawSpacer(component);
    case "social":
      return drawSocial(component, context, inset);
    case "markup":
      return emitMjmlMarkup(component, context, (child, inside) =>
        drawContent(child, inside, inset),
      );
    default:
      return drawText(component, context, inset);
  }
}

/**
 * Text and all components without an MJML element become HTML in an `mj-text`, which carries their padding and
 * background.
 */
function drawText(
  component: Component,
  context: EmitContext,
  inset: string,
): string {
  const { type } = component;
  if (DOCUMENT_ONLY.has(type) || type === "preheader") return "";
  const { taken, rest } = partStyle(
    context.look.declared(component),
    ROW_ATTRIBUTES.text,
  );
  const attributes = {
    padding: inset,
    ...attributesFrom(taken, ROW_ATTRIBUTES.text),
  };
  const inner = { ...component, class: undefined, style: rest };
  const width = innerWidth(context.width, attributes);
  const html = drawHtmlOwn(inner, htmlContext(context.within({ width })));
  return `<mj-text${writeAttributes(attributes)}>${html}</mj-text>`;
}

// Components that have MJML elements.

const IMAGE_LOOK = { "border-radius": "border-radius", border: "border" };

/** The properties of an image that are those of its row. */
const IMAGE_ROW = /^(?:margin|padding|text-align)/;
const BORDER = /^border(?!.*radius)/;

/** CSS that `mj-image` does not have makes it an element of its own. */
function drawImage(
  component: ComponentOf<"image">,
  context: EmitContext,
): string {
  const { alt = "", width, height, fit } = component;
  const style = context.look.declared(component);
  const look = attributesFrom(style, IMAGE_LOOK);
  const others = Object.entries(partStyle(style, IMAGE_LOOK).rest).filter(
    ([property]) => !IMAGE_ROW.test(property),
  );
  const isPlain = others.length === 0;
  const css: Declarations = isPlain
    ? {}
    : {
        ...(width !== undefined && { width }),
        ...(fit !== undefined && { "object-fit": fit }),
        ...Object.fromEntries(others),
      };
  const row: Attributes = {
    align: getAlign(style) ?? "left",
    padding: "0",
    ...attributesFrom(style, ROW_ATTRIBUTES.image),
  };
  const element = linked(component.href, context, (href) => {
    const attributes = {
      src: emitAddress(component, context),
      alt: context.text(alt, "attribute"),
      href,
      width: width === undefined ? undefined : lengthIn(width, context.width),
      height:
        height === undefined ? undefined : lengthIn(height, context.width),
    };
    return isPlain && width !== undefined
      ? `<mj-image${writeAttributes({ ...attributes, ...row, ...look })}/>`
      : drawOwnWidth(attributes, row, look, css, context);
  });
  return whenShown(component, context, element);
}

const ALIGNED_MARGINS: Readonly<Record<string, string>> = {
  center: "0 auto",
  right: "0 0 0 auto",
};

/**
 * An image as wide as its file, unless its CSS says otherwise, and at most as wide as the column; `mj-image` makes every
 * image as wide as the column. Outlook on Windows knows no maximum: it takes the width from the attribute.
 */
function drawOwnWidth(
  { src, alt, height, href }: Attributes,
  row: Attributes,
  look: Attributes,
  css: Declarations,
  context: EmitContext,
): string {
  const frame: Attributes = { ...look, ...css };
  const hasBorder = Object.keys(frame).some((name) => BORDER.test(name));
  const style = Object.entries({
    display: "block",
    margin: ALIGNED_MARGINS[row["align"] ?? ""] ?? "0",
    width: "auto",
    "max-width": "100%",
    height: height ?? "auto",
    border: "0",
    ...(hasBorder && { "box-sizing": "border-box" }),
    ...look,
  })
    .filter(([name]) => !(name in css))
    .map(([name, value]) => `${name}:${value}`);
  if (Object.keys(css).length > 0) style.push(emitStyle(css, context));
  const room = innerWidth(context.width, row);
  const widths = [css["width"], css["max-width"]].map((length = "") => {
    const share = /^([\d.]+)%$/.exec(length)?.[1];
    const px =
      share === undefined ? toPx(length) : (Number(share) / 100) * room;
    return px ?? room;
  });
  const width = innerWidth(Math.min(room, ...widths), frame);
  const attributes = {
    src,
    alt,
    width: `${Math.max(1, Math.round(width))}`,
    style: style.join(";"),
  };
  const image = `<img${writeAttributes(attributes)}/>`;
  const linkedImage =
    href === undefined
      ? image
      : `<a href="${href}" target="_blank">${image}</a>`;
  return `<mj-text${writeAttributes(row)}>${linkedImage}</mj-text>`;
}

/**
 * MJML renders a different element without an address, so the choice is made at merge time.
 * @param element writes the element with or without an address
 */
function linked(
  href: string | undefined,
  context: EmitContext,
  element: (address: string | undefined) => string,
): string {
  if (href === undefined) return element(undefined);
  const address = context.compiled(href, "url");
  return context.whenTrue(
    (scope) => address(scope) !== "",
    element(context.text(href, "url")),
    element(undefined),
  );
}

const BUTTON_ATTRIBUTES = {
  ...ROW_ATTRIBUTES.button,
  "border-radius": "border-radius",
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
  context: EmitContext,
  inset: string,
): string {
  const style = context.look.declared(component);
  const attributes = {
    padding: inset,
    align: getAlign(style),
    ...attributesFrom(style, BUTTON_ATTRIBUTES),
  };
  const text = emitText(component.text, htmlContext(context));
  return linked(
    component.href,
    context,
    (href) =>
      `<mj-button${writeAttributes({ href, ...attributes })}>${text}</mj-button>`,
  );
}

const DIVIDER_ATTRIBUTES = {
  ...ROW_ATTRIBUTES.divider,
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
  context: EmitContext,
  inset: string,
): string {
  const style = context.look.declared(component);
  const attributes = {
    padding: inset,
    ...borderAttributes(style["border-top"] ?? style["border"]),
    ...attributesFrom(style, DIVIDER_ATTRIBUTES),
  };
  return `<mj-divider${writeAttributes(attributes)}/>`;
}

/** Splits `1px solid #ccc` into the three attributes of MJML. */
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

export const DEFAULT_ICON_COLOR = "#465063";
export const DEFAULT_ICON_SIZE = "28px";

/** Icons in circles; the color is that of the circles. */
function drawSocial(
  component: ComponentOf<"social">,
  context: EmitContext,
  inset: string,
): string {
  const style = context.look.declared(component);
  const attributes = attributesFrom(style, ROW_ATTRIBUTES.social);
  const color = safeColor(style["color"]) ?? DEFAULT_ICON_COLOR;
  const size = Number.parseInt(
    lengthIn(component.size ?? DEFAULT_ICON_SIZE, context.width),
    10,
  );
  const inside = htmlContext(context);
  const links = component.items.map(({ network, href }) => {
    const { name, svg } = drawSocialIcon(network, color);
    const alt = constantAttribute(name);
    const address = inside.value((_scope, run) =>
      run.assets.drawing(svg, { widthPx: size, heightPx: size }, name),
    );
    return (
      `<a href="${inside.text(href, "url")}" style="display:inline-block;vertical-align:top;margin:0 5px;text-decoration:none">` +
      `<img src="${address}" alt="${alt}" title="${alt}" width="${size}" height="${size}" style="display:block;border:0"/></a>`
    );
  });
  return `<mj-text${writeAttributes({ padding: inset, align: "center", ...attributes })}>${links.join("")}</mj-text>`;
}

/** Converts a length to whole px, as MJML needs it. @param of the base of a percentage */
function lengthIn(length: string, of: number): string {
  const percent = /^([\d.]+)%$/.exec(length)?.[1];
  const px =
    percent === undefined ? toPx(length) : (Number(percent) / 100) * of;
  return `${Math.round(px ?? 16 * Number.parseFloat(length))}px`;
}

/** The context inside an MJML element that contains HTML: block tags need no wrapper, and columns are table cells. */
function htmlContext(context: EmitContext): EmitContext {
  return context.within({
    builder: context.builder.tagging((tag) => tag),
    draw: drawHtml,
    lineEnds: "elements",
  });
}

/** The context between MJML elements: `mj-raw` carries block tags, because MJML drops everything else. */
export function mjmlContext(context: EmitContext): EmitContext {
  const builder = context.builder.tagging((tag) => `<mj-raw>${tag}</mj-raw>`);
  return context.within({ builder });
}

function drawHtml(component: Component, context: EmitContext): string {
  return emitWithGuards(
    component,
    context,
    drawHtmlOwn,
    (list, settings, suffix) => settings.children(list, suffix),
  );
}

/** Emits a component as HTML, without its condition and collection. */
function drawHtmlOwn(component: Component, context: EmitContext): string {
  if (DOCUMENT_ONLY.has(component.type) || component.type === "markup")
    return "";
  if (component.type === "columns") return drawHtmlColumns(component, context);
  if (component.type === "column") return drawHtmlColumn(component, context);
  return emitOwn(component, context);
}

function drawHtmlColumns(
  component: ComponentOf<"columns">,
  context: EmitContext,
): string {
  const { components } = component;
  const shares = columnShares(components, context.width);
  const between = gapPx(component.gap, context.width);
  const cells = components.map((_column, index) => {
    const width = (context.width * (shares[index] ?? 100)) / 100;
    const gap = index === 0 ? "0" : `${between}px`;
    return context.within({ width, gap }).child(components, index);
  });
  return (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"' +
    `${emitAttributes(component, context)}><tr>${cells.join("")}</tr></table>`
  );
}

function drawHtmlColumn(
  component: ComponentOf<"column">,
  context: EmitContext,
): string {
  const opening = emitAttributes(component, context, {
    style: {
      width: `${Math.round(context.width)}px`,
      "vertical-align": "top",
      ...(context.gap !== "0" && { "padding-left": context.gap }),
    },
  });
  return `<td${opening}>${context.children(component.components)}</td>`;
}
