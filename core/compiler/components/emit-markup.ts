import {
  compileTest,
  constantText,
  escapeHtml,
  findFieldType,
  isConstantText,
  type RepeatRules,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import {
  listSheets,
  type MarkupComponent,
} from "../../definition/markup/markup-parts.js";
import {
  type MarkupAttribute,
  type MarkupElement,
  type MarkupNode,
  type PagePart,
  parseMarkup,
} from "../../definition/markup/parse-markup.js";
import { parseStyleAttribute } from "../../definition/markup/style-sheet.js";
import type { Component } from "../../definition/schema/component-schema.js";
import {
  HTML_CONTENT,
  MJML_BLOCKS,
} from "../../definition/markup/vocabulary.js";
import { getScopeClass, toCss } from "../page/markup-styles.js";
import { escapeSource } from "../source.js";
import { emitAttributes, type EmitContext } from "./emit-context.js";

// Markup becomes program source by the same means as components: each directive is a condition or a collection, each
// value is escaped for its place. All output is well-formed XML too, since headers are images.

/** Emits the body of markup in HTML. */
export function emitMarkup(
  component: MarkupComponent,
  context: EmitContext,
): string {
  const { body } = parseMarkup(component.html ?? "", "html");
  const content = emitNodes(body, context, drawPartials(component));
  return emitWrapped(component, context, content);
}

/** Emits a header or footer of pages that the markup has. */
export function emitPagePart(
  component: MarkupComponent,
  part: PagePart,
  context: EmitContext,
): string {
  const element = parseMarkup(component.html ?? "", "html").pages[part];
  if (!element) return "";
  const content = emitNodes([element], context, drawPartials(component));
  return emitWrapped(component, context, content);
}

/** Draws the block at this index of the components of markup, in the scope of the place that prints it. */
type DrawPartial = (index: number, context: EmitContext) => string;

function drawPartials({ components }: MarkupComponent): DrawPartial {
  return (index, context) => context.child(components ?? [], index);
}

/** The element that the style sheets of the markup apply to. */
function emitWrapped(
  component: MarkupComponent,
  context: EmitContext,
  content: string,
): string {
  const scope = listSheets(component).length > 0 && getScopeClass(component);
  const opening = emitAttributes(component, context, { classes: [scope] });
  return `<div${opening}>${content}</div>`;
}

/** Emits markup of emails. @param drawContent draws a component in a column */
export function emitMjmlMarkup(
  { mjml = "", components = [] }: MarkupComponent,
  context: EmitContext,
  drawContent: (component: Component, context: EmitContext) => string,
): string {
  const { body } = parseMarkup(mjml, "mjml");
  return emitNodes(body, context, (index, inside) => {
    const component = components[index];
    if (!component) return "";
    const path = `${inside.path}.components[${index}]`;
    return drawContent(component, inside.within({ path }));
  });
}

/** Whether the markup of an email is rows of it, not contents of a column. */
export function isMjmlBlock({ mjml = "" }: MarkupComponent): boolean {
  const hasBlock = (nodes: readonly MarkupNode[]): boolean =>
    nodes.some(
      (node) =>
        node.kind === "element" &&
        (MJML_BLOCKS.has(node.name) ||
          (node.name === "template" && hasBlock(node.children))),
    );
  return hasBlock(parseMarkup(mjml, "mjml").body);
}

function emitNodes(
  nodes: readonly MarkupNode[],
  context: EmitContext,
  draw: DrawPartial,
): string {
  return nodes
    .map((node) =>
      node.kind === "text"
        ? context.text(node.template, "html")
        : emitElement(node, context, draw),
    )
    .join("");
}

/** The condition is evaluated once, before the collection. */
function emitElement(
  element: MarkupElement,
  context: EmitContext,
  draw: DrawPartial,
): string {
  const { test, each, otherwise, empty } = element;
  const drawn = each
    ? context.each(
        withTypes(each.rules, context.types),
        (inside) => emitOwn(element, inside, draw),
        empty ? emitElement(empty, context, draw) : "",
      )
    : emitOwn(element, context, draw);
  if (!test) return drawn;
  return context.whenTrue(
    compileTest(test.source, context.path, context.types),
    drawn,
    otherwise ? emitElement(otherwise, context, draw) : "",
  );
}

/** Values are compared by the declared types of their fields, where a rule does not name one. */
function withTypes(rules: RepeatRules, types: ScopeTypes): RepeatRules {
  const { sort, groupBy } = rules;
  const typed = <T extends { field: string; type?: unknown }>(rule: T): T => {
    const type = rule.type ?? findFieldType(rule.field, rules, types);
    return type === undefined ? rule : { ...rule, type };
  };
  return {
    ...rules,
    ...(sort && { sort: sort.map(typed) }),
    ...(groupBy && { groupBy: typed(groupBy) }),
  };
}

function emitOwn(
  element: MarkupElement,
  context: EmitContext,
  draw: DrawPartial,
): string {
  const { name, children, isVoid, attributes, keepsTogether, partial } =
    element;
  if (partial !== undefined) return draw(partial, context);
  if (name === "template") return emitNodes(children, context, draw);
  const image = attributes.find(({ kind }) => kind === "image");
  const alt =
    attributes.find((attribute) => attribute.name === "alt")?.template ?? "";
  const finalAttributes = keepsTogether
    ? withKeepClass(attributes)
    : attributes;
  const namespace = name === "svg" ? ' xmlns="http://www.w3.org/2000/svg"' : "";
  const opening = `<${name}${namespace}${finalAttributes
    .map((attribute) => emitAttribute(attribute, alt, context))
    .join("")}`;
  const inside = HTML_CONTENT.has(name)
    ? context.within({ builder: context.builder.tagging((tag) => tag) })
    : context;
  const content = element.pageNumber
    ? context.numbers[element.pageNumber]
    : emitNodes(children, inside, draw);
  const drawn = isVoid ? `${opening}/>` : `${opening}>${content}</${name}>`;
  return name === "img" || name === "mj-image"
    ? whenNotEmpty(image?.template ?? "", drawn, context)
    : drawn;
}

function withKeepClass(
  attributes: readonly MarkupAttribute[],
): Pick<MarkupAttribute, "name" | "kind" | "template">[] {
  const others = attributes.filter(({ name }) => name !== "class");
  const ownClasses =
    attributes.find(({ name }) => name === "class")?.template ?? "";
  const template = `${ownClasses} keep`.trim();
  return [{ name: "class", kind: "text", template }, ...others];
}

/** An image without an address, such as a missing logo, leaves no gap. */
function whenNotEmpty(
  template: string,
  drawn: string,
  context: EmitContext,
): string {
  if (isConstantText(template)) return constantText(template).trim() && drawn;
  const source = context.compiled(template, "plain");
  return context.whenTrue((scope) => source(scope).trim() !== "", drawn);
}

function emitAttribute(
  {
    name: written,
    kind,
    template,
  }: Pick<MarkupAttribute, "name" | "kind" | "template">,
  alt: string,
  context: EmitContext,
): string {
  const name = written === "xlink:href" ? "href" : written;
  return ` ${name}="${emitValue(kind, template, alt, context)}"`;
}

function emitValue(
  kind: MarkupAttribute["kind"],
  template: string,
  alt: string,
  context: EmitContext,
): string {
  switch (kind) {
    case "link":
      return context.text(template, "url");
    case "image":
      return emitImageAddress(template, alt, context);
    case "style":
      return emitStyle(template, context);
    case "paint": {
      if (isConstantText(template)) return context.text(template, "attribute");
      const value = context.compiled(template, "css");
      return context.value((scope) => escapeHtml(value(scope)));
    }
    default:
      return context.text(template, "attribute");
  }
}

function emitImageAddress(
  template: string,
  alt: string,
  context: EmitContext,
): string {
  const source = context.compiled(template, "plain");
  const words = context.compiled(alt, "plain");
  return context.value((scope, run) => {
    const label = words(scope);
    return (
      run.assets.address(source(scope), label) ?? run.assets.placeholder(label)
    );
  });
}

/** Emits declarations one by one, so that data can only change the value that it is written in. */
function emitStyle(template: string, context: EmitContext): string {
  return parseStyleAttribute(template)
    .declarations.map(({ property, pieces, template: value }) => {
      const opening = escapeSource(escapeHtml(`${property}:`));
      if (pieces === null) {
        const css = context.compiled(value, "css");
        return opening + context.value((scope) => escapeHtml(css(scope)));
      }
      const { css, images } = toCss(pieces);
      const text = escapeSource(escapeHtml(css.trim()));
      if (images.length === 0) return opening + text;
      return (
        opening +
        text +
        context.value((_scope, run) => {
          for (const image of images) run.assets.address(image, "");
          return "";
        })
      );
    })
    .join(";");
}
