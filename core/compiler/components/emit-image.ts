import {
  constantText,
  isConstantText,
} from "../../definition/expressions/index.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

type Image = ComponentOf<"image">;

export function emitImage(component: Image, site: Site): string {
  return whenShown(component, site, emitElement(component, site));
}

/** Nothing is drawn where the source is empty: a logo that a record lacks leaves no hole. */
export function whenShown({ src }: Image, site: Site, element: string): string {
  if (isConstantText(src)) return constantText(src).trim() && element;
  const source = site.compiled(src, "plain");
  return site.whenTrue((scope) => source(scope).trim() !== "", element);
}

function emitElement(component: Image, site: Site): string {
  const { width, height, fit, href, alt = "" } = component;
  const image = `<img src="${emitAddress(component, site)}" alt="${site.text(alt, "attribute")}"${attributes(
    component,
    site,
    {
      style: {
        ...(width !== undefined && { width }),
        ...(height !== undefined && { height }),
        ...(fit !== undefined && { "object-fit": fit }),
      },
    },
  )}/>`;
  return href === undefined
    ? `<div class="image">${image}</div>`
    : `<div class="image"><a href="${site.text(href, "url")}">${image}</a></div>`;
}

/** The `src` of its element. */
export function emitAddress({ src, alt = "" }: Image, site: Site): string {
  const source = site.compiled(src, "plain");
  const words = site.compiled(alt, "plain");
  return site.value((scope, run) => {
    const label = words(scope);
    return (
      run.assets.address(source(scope), label) ?? run.assets.placeholder(label)
    );
  });
}
