import {
  columnShares,
  formatInset,
  hasPadding,
  type Inset,
  innerWidth,
  rowInset,
} from "../../definition/page/layout.js";
import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import { emitWithGuards } from "../components/emit-component.js";
import type { EmitContext } from "../components/emit-context.js";
import { emitMjmlMarkup, isMjmlBlock } from "../components/emit-markup.js";
import { drawContent, drawContents } from "./email-content.js";
import { EMAIL_FRAME, INSET } from "./email-style.js";
import {
  attributesFrom,
  writeAttributes,
  constantAttribute,
} from "./mjml-attributes.js";

// The body of an email is a list of sections, each a row of columns. Other components are collected into sections.

export function drawBody(
  list: readonly Component[],
  context: EmitContext,
  suffix = ".components",
): string {
  const parts: string[] = [];
  let loose = "";
  for (const [index, component] of list.entries()) {
    if (component.type === "preheader") continue; // is in the head
    const inside = context.within({
      path: `${context.path}${suffix}[${index}]`,
    });
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

/** Whether a component becomes sections of its own; a fragment does when one of its children does. */
function isBlock(component: Component): boolean {
  switch (component.type) {
    case "section":
    case "hero":
    case "columns":
    case "container":
      return true;
    case "fragment":
      return component.components.some(isBlock);
    case "markup":
      return isMjmlBlock(component);
    default:
      return false;
  }
}

function drawBlock(component: Component, context: EmitContext): string {
  return emitWithGuards(component, context, drawBlockOwn, drawBody);
}

function drawBlockOwn(component: Component, context: EmitContext): string {
  switch (component.type) {
    case "section":
    case "columns":
      return drawSection(component, context);
    case "hero":
      return drawHero(component, context);
    case "container":
      return drawContainer(component, context);
    case "markup":
      return emitMjmlMarkup(component, context, (child, inside) =>
        drawContent(child, inside, INSET),
      );
    default:
      return "components" in component
        ? drawBody(component.components ?? [], context)
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

/** Emits a wrapper of sections or a section of content; wrappers cannot be nested. */
function drawContainer(
  component: ComponentOf<"container">,
  context: EmitContext,
): string {
  const attributes = attributesFrom(
    context.look.declared(component),
    CONTAINER_ATTRIBUTES,
  );
  const { components } = component;
  const inside = context.within({
    width: innerWidth(context.width, attributes),
  });
  if (!components.some(isBlock))
    return (
      `<mj-section${writeAttributes({ padding: EMAIL_FRAME.sectionPadding, ...attributes })}><mj-column>` +
      `${drawContents(components, inside, INSET)}</mj-column></mj-section>`
    );
  const body = drawBody(components, inside);
  return body.includes("<mj-wrapper")
    ? body
    : `<mj-wrapper${writeAttributes({ padding: "0", ...attributes })}>${body}</mj-wrapper>`;
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
  context: EmitContext,
): string {
  const style = context.look.declared(component);
  const section = component.type === "section" ? component : undefined;
  const attributes = {
    padding: "0",
    "background-color":
      section?.background && constantAttribute(section.background),
    "full-width": section?.fullWidth ? "full-width" : undefined,
    ...attributesFrom(style, SECTION_ATTRIBUTES),
  };
  const row = {
    inset: rowInset(component, style, context.width, EMAIL_FRAME.inset),
    sides: context.width - innerWidth(context.width, attributes),
  };
  const columns = drawColumns(component.components, context, row);
  return `<mj-section${writeAttributes(attributes)}>${columns}</mj-section>`;
}

interface Row {
  inset: Inset;
  /** What its borders and padding take from the width of the columns. */
  sides: number;
}

function drawColumns(
  list: readonly Component[],
  context: EmitContext,
  { inset, sides }: Row,
  suffix = ".components",
): string {
  const shares = columnShares(list, context.width);
  const isEven = list.every(
    (column) => column.type === "column" && column.width === undefined,
  );
  return list
    .map((column, index) => {
      const share = shares[index] ?? 100;
      const inside = context.within({
        path: `${context.path}${suffix}[${index}]`,
        width: ((context.width - sides) * share) / 100,
      });
      const width = isEven ? undefined : `${share}%`;
      const isLast = index === list.length - 1;
      const padding = formatInset(inset, index === 0, isLast);
      return drawColumn(column, inside, { inset, padding, width });
    })
    .join("");
}

interface ColumnPlace {
  inset: Inset;
  padding: string;
  /** Undefined when all columns share the row equally. */
  width: string | undefined;
}

function drawColumn(
  component: Component,
  context: EmitContext,
  place: ColumnPlace,
): string {
  return emitWithGuards(
    component,
    context,
    (target, inside) => drawColumnOwn(target, inside, place),
    (list, settings, suffix) =>
      drawColumns(list, settings, { inset: place.inset, sides: 0 }, suffix),
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
  context: EmitContext,
  { inset, padding, width }: ColumnPlace,
): string {
  if (component.type === "fragment")
    return drawColumns(component.components, context, { inset, sides: 0 });
  if (component.type !== "column") return "";
  const style = context.look.declared(component);
  const attributes = { width, ...attributesFrom(style, COLUMN_ATTRIBUTES) };
  const contents = drawContents(
    component.components,
    context.within({ width: innerWidth(context.width, attributes) }),
    hasPadding(style) ? "0" : padding,
  );
  return `<mj-column${writeAttributes(attributes)}>${contents}</mj-column>`;
}

/** Transparent, because an empty address means the page itself. */
const NO_IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 1 1"/>';

function drawHero(
  component: ComponentOf<"hero">,
  context: EmitContext,
): string {
  const style = context.look.declared(component);
  const source = context.compiled(component.background, "plain");
  const attributes = {
    mode: "fluid-height",
    "background-url": context.value((scope, { assets }) => {
      const address = source(scope).trim();
      return (
        (address && assets.address(address, "")) ||
        assets.drawing(NO_IMAGE, { widthPx: 1, heightPx: 1 }, "")
      );
    }),
    // MJML computes a minimum height from these two.
    "background-width": `${context.width}px`,
    "background-height": `${Math.round(context.width * EMAIL_FRAME.heroShare)}px`,
    "background-position": "center center",
    padding: EMAIL_FRAME.heroPadding,
    ...attributesFrom(style, SECTION_ATTRIBUTES),
  };
  const inside = context.within({
    width: innerWidth(context.width, attributes),
  });
  const contents = drawContents(component.components, inside, INSET);
  return `<mj-hero${writeAttributes(attributes)}>${contents}</mj-hero>`;
}
