import type { Component, ComponentOf } from "../schema/component-schema.js";
import type { ProjectData } from "../schema/definition-schema.js";
import type { Margin, PageSetup } from "../schema/output-schema.js";
import { childrenOf } from "../page/page-numbers.js";
import { PAGE_PARTS, type PagePart, parseMarkup } from "./parse-markup.js";
import { parseStyleSheet, type StyleSheet } from "./style-sheet.js";

// What markup says beside its body: style sheets, the size and margins of the paper, running headers and footers.

export type MarkupComponent = ComponentOf<"markup">;

/** A style sheet of a component, with its place: a property, and the offset in it. */
export interface PlacedSheet {
  sheet: StyleSheet;
  property: "css" | "html";
  start: number;
}

/** The style sheets of a component in their order: those in its HTML, then `css`. */
export function listSheets({ html = "", css }: MarkupComponent): PlacedSheet[] {
  const inside = html
    ? parseMarkup(html, "html").sheets.map(({ css: text, start }) => ({
        sheet: parseStyleSheet(text),
        property: "html" as const,
        start,
      }))
    : [];
  return css === undefined
    ? inside
    : [...inside, { sheet: parseStyleSheet(css), property: "css", start: 0 }];
}

/** The components of the body and of all headers and footers that are markup, at any depth. */
export function listMarkups(definition: ProjectData): MarkupComponent[] {
  return listAll(definition).flatMap((component) =>
    component.type === "markup" ? [component] : [],
  );
}

function listAll({ components, page }: ProjectData): Component[] {
  const bands = PAGE_PARTS.flatMap((name) => {
    const band = page?.[name] ?? [];
    return Array.isArray(band) ? band : band.components;
  });
  return [...components, ...bands].flatMap(withDescendants);
}

function withDescendants(component: Component): Component[] {
  return [component, ...childrenOf(component).flatMap(withDescendants)];
}

/** Whether a template consists of markup only, so that no style of components is part of it. */
export function isHtmlTemplate(definition: ProjectData): boolean {
  const all = listAll(definition);
  return (
    all.length > 0 &&
    all.every(isMarkup) &&
    all.some(({ type }) => type === "markup")
  );
}

function isMarkup({ type }: Component): boolean {
  return type === "markup" || type === "fragment";
}

/** The page setup with what `@page` rules of markup say, which wins. */
export function mergePageRules(
  page: PageSetup | undefined,
  markups: readonly MarkupComponent[],
): PageSetup | undefined {
  const rules = markups
    .flatMap(listSheets)
    .map(({ sheet }) => sheet.page)
    .filter((rule) => Object.keys(rule).length > 0);
  if (rules.length === 0) return page;
  return rules.reduce<PageSetup>((merged, { margin, ...paper }) => {
    const { size, width, height, landscape = false, ...rest } = merged;
    const basePaper = {
      ...(size !== undefined && { size }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      landscape,
    };
    return {
      ...rest,
      ...(paper.size === undefined ? { ...basePaper, ...paper } : paper),
      ...(margin && { margin: { ...toSides(merged.margin), ...margin } }),
    };
  }, page ?? {});
}

function toSides(margin: Margin | undefined): Exclude<Margin, string> {
  if (typeof margin !== "string") return margin ?? {};
  return { top: margin, right: margin, bottom: margin, left: margin };
}

/** A definition whose `page` has what its markup says about the paper. */
export function resolvePageRules(definition: ProjectData): ProjectData {
  const page = mergePageRules(definition.page, listMarkups(definition));
  return page === definition.page || page === undefined
    ? definition
    : { ...definition, page };
}

/** Markup at the top level of the body, with its path; only this may have headers and footers of pages. */
export function listTopMarkups(
  components: readonly Component[],
  path = "$.components",
): { component: MarkupComponent; path: string }[] {
  return components.flatMap((component, index) => {
    const componentPath = `${path}[${index}]`;
    if (component.type === "markup")
      return [{ component, path: componentPath }];
    const isPlain = !component.collection && !component.condition;
    return component.type === "fragment" && isPlain
      ? listTopMarkups(component.components, `${componentPath}.components`)
      : [];
  });
}

export function hasPagePart(
  { html }: MarkupComponent,
  part: PagePart,
): boolean {
  return (
    html !== undefined && parseMarkup(html, "html").pages[part] !== undefined
  );
}
