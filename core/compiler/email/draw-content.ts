import { emitGuarded } from "../components/emit-guarded.js";
import type { Site } from "../components/site.js";
import type { Component } from "../../definition/schema/component-schema.js";
import { DOCUMENT_ONLY } from "../../definition/schema/placement.js";
import {
  drawButton,
  drawDivider,
  drawImage,
  drawSocial,
  drawSpacer,
} from "./draw-elements.js";
import { declared } from "./email-look.js";
import { drawHtmlOwn, htmlSite } from "./email-site.js";
import {
  attributesFrom,
  partStyle,
  writeAttributes,
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

const CARRIED = {
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
  const { taken, rest } = partStyle(declared(component, site.look), CARRIED);
  const attributes = { padding: inset, ...attributesFrom(taken, CARRIED) };
  const inner = { ...component, class: undefined, style: rest };
  const html = drawHtmlOwn(inner, htmlSite(site));
  return `<mj-text${writeAttributes(attributes)}>${html}</mj-text>`;
}
