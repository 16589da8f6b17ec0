import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { attributes } from "./attributes.js";
import { emitText } from "./emit-text.js";
import type { Site } from "./site.js";

export function emitList(component: ComponentOf<"list">, site: Site): string {
  const name = component.ordered ? "ol" : "ul";
  return `<${name}${attributes(component, site)}>${site.children(component.components)}</${name}>`;
}

export function emitListItem(
  component: ComponentOf<"list-item">,
  site: Site,
): string {
  return `<li${attributes(component, site)}>${emitText(component.text, site)}${site.children(component.components)}</li>`;
}
