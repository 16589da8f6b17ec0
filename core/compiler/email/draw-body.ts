import { emitGuarded } from "../components/emit-guarded.js";
import type { Site } from "../components/site.js";
import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import { drawContent, drawContents } from "./draw-content.js";
import { drawHero, drawSection } from "./draw-section.js";
import { EMAIL_FRAME, INSET } from "./email-frame.js";
import { declared } from "./email-look.js";
import { attributesFrom, writeAttributes } from "./mjml-attributes.js";

// The body of an email is a pile of sections, each a row of columns. What a definition puts beside its
// sections is gathered into sections of its own.

export function drawBody(
  list: readonly Component[],
  site: Site,
  suffix = ".components",
): string {
  const parts: string[] = [];
  let loose = "";
  for (const [index, component] of list.entries()) {
    if (component.type === "preheader") continue; // stands in the head
    const inside = site.within({ path: `${site.path}${suffix}[${index}]` });
    if (!isBlock(component)) loose += drawContent(component, inside, INSET);
    else {
      parts.push(looseSection(loose), drawBlock(component, inside));
      loose = "";
    }
  }
  return [...parts, looseSection(loose)].join("");
}

function looseSection(contents: string): string {
  if (contents === "") return "";
  return `<mj-section padding="${EMAIL_FRAME.sectionPadding}"><mj-column>${contents}</mj-column></mj-section>`;
}

/** Makes sections of its own; a container or fragment does when one of its children does. */
function isBlock(component: Component): boolean {
  switch (component.type) {
    case "section":
    case "hero":
    case "columns":
    case "container":
      return true;
    case "fragment":
      return component.components.some(isBlock);
    default:
      return false;
  }
}

function drawBlock(component: Component, site: Site): string {
  return emitGuarded(component, site, drawOwn, drawBody);
}

function drawOwn(component: Component, site: Site): string {
  switch (component.type) {
    case "section":
    case "columns":
      return drawSection(component, site);
    case "hero":
      return drawHero(component, site);
    case "container":
      return drawContainer(component, site);
    default:
      return "components" in component
        ? drawBody(component.components ?? [], site)
        : "";
  }
}

const BOX = {
  "background-color": "background-color",
  background: "background-color",
  border: "border",
  "border-radius": "border-radius",
  padding: "padding",
};

/** A wrapper of sections, or a section of content; wrappers do not nest. */
function drawContainer(
  component: ComponentOf<"container">,
  site: Site,
): string {
  const attributes = attributesFrom(declared(component, site.look), BOX);
  const { components } = component;
  if (!components.some(isBlock))
    return (
      `<mj-section${writeAttributes({ padding: EMAIL_FRAME.sectionPadding, ...attributes })}><mj-column>` +
      `${drawContents(components, site, INSET)}</mj-column></mj-section>`
    );
  const body = drawBody(components, site);
  return body.includes("<mj-wrapper")
    ? body
    : `<mj-wrapper${writeAttributes({ padding: "0", ...attributes })}>${body}</mj-wrapper>`;
}
