import { emitAddress, whenShown } from "../components/emit-image.js";
import { emitText } from "../components/emit-text.js";
import type { Site } from "../components/site.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { toPx } from "../../definition/page/lengths.js";
import { declared } from "./email-look.js";
import { htmlSite } from "./email-site.js";
import {
  alignOf,
  attributesFrom,
  constantAttribute,
  writeAttributes,
} from "./mjml-attributes.js";

// Components that MJML has elements for.

const BOX = {
  margin: "padding",
  "margin-top": "padding-top",
  "margin-bottom": "padding-bottom",
  "border-radius": "border-radius",
  "text-align": "align",
};

const IMAGE = { ...BOX, padding: "padding", border: "border" };

export function drawImage(component: ComponentOf<"image">, site: Site): string {
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
      ...attributesFrom(style, IMAGE),
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

const BUTTON = {
  ...BOX,
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

export function drawButton(
  component: ComponentOf<"button">,
  site: Site,
  inset: string,
): string {
  const style = declared(component, site.look);
  const attributes = {
    padding: inset,
    align: alignOf(style),
    ...attributesFrom(style, BUTTON),
  };
  const text = emitText(component.text, htmlSite(site));
  return linked(
    component.href,
    site,
    (href) =>
      `<mj-button${writeAttributes({ href, ...attributes })}>${text}</mj-button>`,
  );
}

const DIVIDER = {
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

export function drawDivider(
  component: ComponentOf<"divider">,
  site: Site,
  inset: string,
): string {
  const style = declared(component, site.look);
  const attributes = {
    padding: inset,
    ...borderAttributes(style["border-top"] ?? style["border"]),
    ...attributesFrom(style, DIVIDER),
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

export function drawSpacer({ height }: ComponentOf<"spacer">): string {
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
export function drawSocial(
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
