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
import { literal } from "../compile/source-builder.js";
import { type Site, fetchImages } from "./emit-context.js";
import { emitCells } from "./emit-table.js";
import { attributes, emitText, hasMarkdown } from "./emit-text.js";

// Components that become one element, or none.

export function emitFragment(
  component: ComponentOf<"fragment">,
  site: Site,
): string {
  const { components } = component;
  return site.table?.isRow
    ? emitCells(components, site)
    : site.children(components);
}

export function emitContainer(
  component: ComponentOf<"container">,
  site: Site,
): string {
  return `<div${attributes(component, site)}>${site.children(component.components)}</div>`;
}

export function emitHeading(
  component: ComponentOf<"heading">,
  site: Site,
): string {
  const name = `h${component.level ?? 1}`;
  return `<${name}${attributes(component, site)}>${emitText(component.text, site)}</${name}>`;
}

/** A paragraph; Markdown in it may bring paragraphs of its own, which cannot stand inside of one. */
export function emitTextBlock(
  component: ComponentOf<"text">,
  site: Site,
): string {
  if (hasMarkdown(component.text))
    return `<div${attributes(component, site, { classes: ["markdown"] })}>${emitText(component.text, site)}</div>`;
  return `<p${attributes(component, site)}>${emitText(component.text, site)}</p>`;
}

export function emitDivider(
  component: ComponentOf<"divider">,
  site: Site,
): string {
  return `<hr${attributes(component, site)}/>`;
}

export function emitSpacer(
  component: ComponentOf<"spacer">,
  site: Site,
): string {
  return `<div${attributes(component, site, { style: { height: component.height } })}></div>`;
}

export function emitPageBreak(
  component: ComponentOf<"page-break">,
  site: Site,
): string {
  return `<div${attributes(component, site, { classes: ["page-break"] })}></div>`;
}

export function emitButton(
  component: ComponentOf<"button">,
  site: Site,
): string {
  const href = site.text(component.href, "url");
  return `<a href="${href}"${attributes(component, site, { classes: ["button"] })}>${emitText(component.text, site)}</a>`;
}

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

export const DEFAULT_FORMAT = "{page}";

export function emitPageNumber(
  component: ComponentOf<"page-number">,
  site: Site,
): string {
  const { page, pages } = site.numbers;
  const text = literal(escapeHtml(component.format ?? DEFAULT_FORMAT))
    .replaceAll("{page}", page)
    .replaceAll("{pages}", pages);
  return `<p${attributes(component, site)}>${text}</p>`;
}

// Markup that a template or a record brings along. Data is merged into it first, and the whole is made harmless.

type Markup = ComponentOf<"markdown"> | ComponentOf<"html">;

export function emitMarkdown(
  component: ComponentOf<"markdown">,
  site: Site,
): string {
  return emitMarkup(component, site, (source) => markdownToHtml(source).html);
}

export function emitHtml(component: ComponentOf<"html">, site: Site): string {
  return emitMarkup(component, site, sanitizeMarkup);
}

function emitMarkup(
  component: Markup,
  site: Site,
  harmless: (source: string) => string,
): string {
  const source = site.compiled(component.value, "plain");
  const html = site.value((scope, run) => {
    const markup = chargeMarkup(source(scope), scope.context);
    return fetchImages(harmless(markup), run.assets);
  });
  return `<div${attributes(component, site, { classes: ["markdown"] })}>${html}</div>`;
}

type ImageComponent = ComponentOf<"image">;

export function emitImage(component: ImageComponent, site: Site): string {
  return whenShown(component, site, emitImageElement(component, site));
}

/** Nothing is drawn where the source is empty: a logo that a record lacks leaves no hole. */
export function whenShown(
  { src }: ImageComponent,
  site: Site,
  element: string,
): string {
  if (isConstantText(src)) return constantText(src).trim() && element;
  const source = site.compiled(src, "plain");
  return site.whenTrue((scope) => source(scope).trim() !== "", element);
}

function emitImageElement(component: ImageComponent, site: Site): string {
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
export function emitAddress(
  { src, alt = "" }: ImageComponent,
  site: Site,
): string {
  const source = site.compiled(src, "plain");
  const words = site.compiled(alt, "plain");
  return site.value((scope, run) => {
    const label = words(scope);
    return (
      run.assets.address(source(scope), label) ?? run.assets.placeholder(label)
    );
  });
}

type SignField = ComponentOf<"sign-field">;

/** What is drawn where the definition names no size; the caption is null where the field's own name is it. */
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
 * A box of a fixed size that is never split. When the document goes to signing it is a link, whose rectangle the
 * printed page carries along, borders and all: it tells where the signer's field belongs.
 */
export function emitSignField(component: SignField, site: Site): string {
  const { field, name, required = false, options } = component;
  const { width, height, caption } = SIGN_FIELD_BOXES[field];
  const role = site.compiled(component.submitter, "plain");
  const probe = site.value((scope, run) =>
    run.signing.add({
      name,
      role: role(scope).trim(),
      type: field,
      required,
      ...(options && { options }),
    }),
  );
  const opening = attributes(component, site, {
    classes: ["sign-field", `sign-${field}`],
    style: {
      width: component.width ?? width,
      height: component.height ?? height,
    },
  });
  const label = literal(escapeHtml(caption ?? name));
  return `<a${probe}${opening}><span>${label}</span></a>`;
}
