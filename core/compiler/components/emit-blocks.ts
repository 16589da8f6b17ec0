import {
  escapeHtml,
  chargeMarkup,
  markdownToHtml,
  sanitizeMarkup,
  constantText,
  isConstantText,
} from "../../definition/expressions/index.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import type { DesignSignField } from "../../plugin-api/index.js";
import { escapeSource } from "../compile/source-builder.js";
import { type EmitContext, registerImages } from "./emit-context.js";
import { emitCells } from "./emit-table.js";
import { emitAttributes, emitText, hasMarkdown } from "./emit-text.js";

// Components that become at most one element.

export function emitFragment(
  component: ComponentOf<"fragment">,
  context: EmitContext,
): string {
  const { components } = component;
  return context.table?.isRow
    ? emitCells(components, context)
    : context.children(components);
}

export function emitContainer(
  component: ComponentOf<"container">,
  context: EmitContext,
): string {
  return `<div${emitAttributes(component, context)}>${context.children(component.components)}</div>`;
}

export function emitHeading(
  component: ComponentOf<"heading">,
  context: EmitContext,
): string {
  const name = `h${component.level ?? 1}`;
  return `<${name}${emitAttributes(component, context)}>${emitText(component.text, context)}</${name}>`;
}

/** A paragraph, or a div when Markdown in it may contain paragraphs. */
export function emitTextBlock(
  component: ComponentOf<"text">,
  context: EmitContext,
): string {
  if (hasMarkdown(component.text))
    return `<div${emitAttributes(component, context, { classes: ["markdown"] })}>${emitText(component.text, context)}</div>`;
  return `<p${emitAttributes(component, context)}>${emitText(component.text, context)}</p>`;
}

export function emitDivider(
  component: ComponentOf<"divider">,
  context: EmitContext,
): string {
  return `<hr${emitAttributes(component, context)}/>`;
}

export function emitSpacer(
  component: ComponentOf<"spacer">,
  context: EmitContext,
): string {
  return `<div${emitAttributes(component, context, { style: { height: component.height } })}></div>`;
}

export function emitPageBreak(
  component: ComponentOf<"page-break">,
  context: EmitContext,
): string {
  return `<div${emitAttributes(component, context, { classes: ["page-break"] })}></div>`;
}

export function emitButton(
  component: ComponentOf<"button">,
  context: EmitContext,
): string {
  const href = context.text(component.href, "url");
  return `<a href="${href}"${emitAttributes(component, context, { classes: ["button"] })}>${emitText(component.text, context)}</a>`;
}

export function emitList(
  component: ComponentOf<"list">,
  context: EmitContext,
): string {
  const name = component.ordered ? "ol" : "ul";
  return `<${name}${emitAttributes(component, context)}>${context.children(component.components)}</${name}>`;
}

export function emitListItem(
  component: ComponentOf<"list-item">,
  context: EmitContext,
): string {
  return `<li${emitAttributes(component, context)}>${emitText(component.text, context)}${context.children(component.components)}</li>`;
}

export const DEFAULT_FORMAT = "{page}";

export function emitPageNumber(
  component: ComponentOf<"page-number">,
  context: EmitContext,
): string {
  const { page, pages } = context.numbers;
  const text = escapeSource(escapeHtml(component.format ?? DEFAULT_FORMAT))
    .replaceAll("{page}", page)
    .replaceAll("{pages}", pages);
  return `<p${emitAttributes(component, context)}>${text}</p>`;
}

// Markup of templates and data: merged first, then sanitized.

type Markup = ComponentOf<"markdown"> | ComponentOf<"html">;

export function emitMarkdown(
  component: ComponentOf<"markdown">,
  context: EmitContext,
): string {
  return emitMarkup(
    component,
    context,
    (source) => markdownToHtml(source).html,
  );
}

export function emitHtml(
  component: ComponentOf<"html">,
  context: EmitContext,
): string {
  return emitMarkup(component, context, sanitizeMarkup);
}

function emitMarkup(
  component: Markup,
  context: EmitContext,
  harmless: (source: string) => string,
): string {
  const source = context.compiled(component.value, "plain");
  const html = context.value((scope, run) => {
    const markup = chargeMarkup(source(scope), scope.context);
    return registerImages(harmless(markup), run.assets);
  });
  return `<div${emitAttributes(component, context, { classes: ["markdown"] })}>${html}</div>`;
}

type ImageComponent = ComponentOf<"image">;

export function emitImage(
  component: ImageComponent,
  context: EmitContext,
): string {
  return whenShown(component, context, emitImageElement(component, context));
}

/** Renders nothing for an empty source, so that a missing logo leaves no gap. */
export function whenShown(
  { src }: ImageComponent,
  context: EmitContext,
  element: string,
): string {
  if (isConstantText(src)) return constantText(src).trim() && element;
  const source = context.compiled(src, "plain");
  return context.whenTrue((scope) => source(scope).trim() !== "", element);
}

function emitImageElement(
  component: ImageComponent,
  context: EmitContext,
): string {
  const { width, height, fit, href, alt = "" } = component;
  const image = `<img src="${emitAddress(component, context)}" alt="${context.text(alt, "attribute")}"${emitAttributes(
    component,
    context,
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
    : `<div class="image"><a href="${context.text(href, "url")}">${image}</a></div>`;
}

/** Emits the `src` of an image. */
export function emitAddress(
  { src, alt = "" }: ImageComponent,
  context: EmitContext,
): string {
  const source = context.compiled(src, "plain");
  const words = context.compiled(alt, "plain");
  return context.value((scope, run) => {
    const label = words(scope);
    return (
      run.assets.address(source(scope), label) ?? run.assets.placeholder(label)
    );
  });
}

type SignField = ComponentOf<"sign-field">;

/** The default sizes and captions; a null caption means the name of the field. */
export const SIGN_FIELD_BOXES: Readonly<
  Record<SignField["field"], DesignSignField>
> = {
  signature: { width: "64mm", height: "18mm", caption: "Signature" },
  initials: { width: "24mm", height: "14mm", caption: "Initials" },
  date: { width: "36mm", height: "9mm", caption: "Date" },
  text: { width: "64mm", height: "9mm", caption: null },
  checkbox: { width: "5mm", height: "5mm", caption: "" },
  select: { width: "48mm", height: "9mm", caption: null },
  number: { width: "36mm", height: "9mm", caption: null },
  image: { width: "40mm", height: "30mm", caption: null },
  stamp: { width: "40mm", height: "25mm", caption: null },
};

/**
 * Emits a box of a fixed size that is never split. For a document that goes to signing it is a link, whose rectangle in
 * the PDF marks the position of the signer's field.
 */
export function emitSignField(
  component: SignField,
  context: EmitContext,
): string {
  const { field, name, required = false, options } = component;
  const { width, height, caption } = SIGN_FIELD_BOXES[field];
  const role = context.compiled(component.submitter, "plain");
  const probe = context.value((scope, run) =>
    run.signing.add({
      name,
      role: role(scope).trim(),
      type: field,
      required,
      ...(options && { options }),
    }),
  );
  const opening = emitAttributes(component, context, {
    classes: ["sign-field", `sign-${field}`],
    style: {
      width: component.width ?? width,
      height: component.height ?? height,
    },
  });
  const label = escapeSource(escapeHtml(caption ?? name));
  return `<a${probe}${opening}><span>${label}</span></a>`;
}
