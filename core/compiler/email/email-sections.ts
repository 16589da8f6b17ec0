import { escapeHtml } from "../../definition/expressions/index.js";
import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import { emitGuarded } from "../components/emit-component.js";
import type { Site } from "../components/emit-context.js";
import type { Declarations } from "../styles.js";
import {
  drawContent,
  drawContents,
  columnShares,
  gapPx,
} from "./email-content.js";
import { EMAIL_FRAME, INSET, declared } from "./email-style.js";
import {
  attributesFrom,
  writeAttributes,
  constantAttribute,
} from "./mjml-attributes.js";

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
  return emitGuarded(component, site, drawBlockOwn, drawBody);
}

function drawBlockOwn(component: Component, site: Site): string {
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

const CONTAINER_ATTRIBUTES = {
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
  const attributes = attributesFrom(
    declared(component, site.look),
    CONTAINER_ATTRIBUTES,
  );
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

/** The padding of content by where its column stands, in px. */
interface Inset {
  sides: number;
  bottom: number;
  /** Half of the gap; undefined when columns are as far from each other as they are from the edge, each. */
  between: number | undefined;
}

function insetOf(
  { sides, bottom, between = sides }: Inset,
  isFirst: boolean,
  isLast: boolean,
): string {
  const [left, right] = [isFirst ? sides : between, isLast ? sides : between];
  if (left !== right) return `0 ${right}px ${bottom}px ${left}px`;
  return left === 0 && bottom === 0 ? "0" : `0 ${left}px ${bottom}px`;
}

const SECTION_ATTRIBUTES = {
  "background-color": "background-color",
  background: "background-color",
  border: "border",
  "border-top": "border-top",
  "border-bottom": "border-bottom",
  "border-radius": "border-radius",
  padding: "padding",
  "padding-top": "padding-top",
  "padding-right": "padding-right",
  "padding-bottom": "padding-bottom",
  "padding-left": "padding-left",
  direction: "direction",
};

function drawSection(
  component: ComponentOf<"section"> | ComponentOf<"columns">,
  site: Site,
): string {
  const style = declared(component, site.look);
  const own = component.type === "section" ? component : undefined;
  const attributes = {
    padding: "0",
    "background-color": own?.background && constantAttribute(own.background),
    "full-width": own?.fullWidth ? "full-width" : undefined,
    ...attributesFrom(style, SECTION_ATTRIBUTES),
  };
  const inset = {
    sides: hasPadding(style) ? 0 : EMAIL_FRAME.inset.sides,
    bottom: hasPadding(style) ? 0 : EMAIL_FRAME.inset.bottom,
    between:
      component.type === "columns"
        ? gapPx(component.gap, site.width) / 2
        : undefined,
  };
  const columns = drawColumns(component.components, site, inset);
  return `<mj-section${writeAttributes(attributes)}>${columns}</mj-section>`;
}

function drawColumns(
  list: readonly Component[],
  site: Site,
  inset: Inset,
  suffix = ".components",
): string {
  const shares = columnShares(list, site.width);
  const isEven = list.every(
    (column) => column.type === "column" && column.width === undefined,
  );
  return list
    .map((column, index) => {
      const share = shares[index] ?? 100;
      const inside = site.within({
        path: `${site.path}${suffix}[${index}]`,
        width: (site.width * share) / 100,
      });
      const width = isEven ? undefined : `${share}%`;
      const isLast = index === list.length - 1;
      const padding = insetOf(inset, index === 0, isLast);
      return drawColumn(column, inside, { inset, padding, width });
    })
    .join("");
}

interface ColumnPlace {
  inset: Inset;
  padding: string;
  /** Undefined when MJML is to share the row evenly. */
  width: string | undefined;
}

function drawColumn(
  component: Component,
  site: Site,
  place: ColumnPlace,
): string {
  return emitGuarded(
    component,
    site,
    (one, inside) => drawColumnOwn(one, inside, place),
    (list, around, suffix) => drawColumns(list, around, place.inset, suffix),
  );
}

const COLUMN_ATTRIBUTES = {
  ...SECTION_ATTRIBUTES,
  "border-left": "border-left",
  "border-right": "border-right",
  "vertical-align": "vertical-align",
};

function drawColumnOwn(
  component: Component,
  site: Site,
  { inset, padding, width }: ColumnPlace,
): string {
  if (component.type === "fragment")
    return drawColumns(component.components, site, inset);
  if (component.type !== "column") return "";
  const style = declared(component, site.look);
  const attributes = { width, ...attributesFrom(style, COLUMN_ATTRIBUTES) };
  const contents = drawContents(
    component.components,
    site,
    hasPadding(style) ? "0" : padding,
  );
  return `<mj-column${writeAttributes(attributes)}>${contents}</mj-column>`;
}

/** One transparent pixel: an empty address would be that of the page. */
const NO_IMAGE =
  "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

function drawHero(component: ComponentOf<"hero">, site: Site): string {
  const style = declared(component, site.look);
  const source = site.compiled(component.background, "plain");
  const attributes = {
    mode: "fluid-height",
    "background-url": site.value((scope, run) =>
      escapeHtml(run.assets.address(source(scope), "") || NO_IMAGE),
    ),
    // MJML computes a least height from these two.
    "background-width": `${site.width}px`,
    "background-height": `${Math.round(site.width * EMAIL_FRAME.heroShare)}px`,
    "background-position": "center center",
    padding: EMAIL_FRAME.heroPadding,
    ...attributesFrom(style, SECTION_ATTRIBUTES),
  };
  const contents = drawContents(component.components, site, INSET);
  return `<mj-hero${writeAttributes(attributes)}>${contents}</mj-hero>`;
}

function hasPadding(style: Declarations): boolean {
  return Object.keys(style).some((property) => property.startsWith("padding"));
}
