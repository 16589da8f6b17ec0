import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { attributes } from "./attributes.js";
import { emitText } from "./emit-text.js";
import type { Site } from "./site.js";

export function emitButton(
  component: ComponentOf<"button">,
  site: Site,
): string {
  const href = site.text(component.href, "url");
  return `<a href="${href}"${attributes(component, site, { classes: ["button"] })}>${emitText(component.text, site)}</a>`;
}
