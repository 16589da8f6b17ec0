import { useSignalEffect } from "@preact/signals";
import { createElement, type ComponentChild } from "preact";
import { useMemo, useRef } from "preact/hooks";
import {
  getPictureAddress,
  useCanvas,
  usePictureAddress,
} from "../canvas-state.js";
import { loadsResource } from "../print-styles.js";

/**
 * HTML as the service sanitized it for the print. It is made of elements, because the content security policy allows
 * no styles in HTML.
 */
export function Markup({ html }: { html: string }) {
  const body = useMemo(() => parseMarkup(html), [html]);
  return <>{toChildren(body)}</>;
}

/** Holds the style of an element until it is drawn. */
const STYLE = "data-canvas-style";

/** Styles that are parsed are reported as what the page's policy forbids; those that a script sets are not. */
function parseMarkup(html: string): HTMLElement {
  const quiet = html.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replace(/\sstyle="/i, ` ${STYLE}="`),
  );
  return new DOMParser().parseFromString(quiet, "text/html").body;
}

function toChildren(element: Element): ComponentChild[] {
  return [...element.childNodes].map((node) =>
    node instanceof Element ? toElement(node) : node.textContent,
  );
}

function toElement(element: Element): ComponentChild {
  const { localName } = element;
  const style = toStyle(element.getAttribute(STYLE) ?? "");
  if (localName === "img") return <MarkupImage image={element} style={style} />;
  const props = Object.fromEntries(
    [...element.attributes]
      // No links, so that a click selects the component.
      .filter(({ name }) => name !== "href" && name !== STYLE)
      .map(({ name, value }) => [name, value]),
  );
  return createElement(localName, { ...props, style }, ...toChildren(element));
}

interface MarkupImageProps {
  image: Element;
  style: Record<string, string>;
}

function MarkupImage({ image, style }: MarkupImageProps) {
  const address = usePictureAddress(image.getAttribute("src") ?? "");
  const size = {
    width: image.getAttribute("width") ?? undefined,
    height: image.getAttribute("height") ?? undefined,
  };
  const words = image.getAttribute("alt") ?? "";
  return address === null ? (
    <span class="picture-place" style={style}>
      {words}
    </span>
  ) : (
    <img {...size} src={address} alt={words} style={style} draggable={false} />
  );
}

/** The sanitizer allows only values without semicolons. */
function toStyle(css: string): Record<string, string> {
  return Object.fromEntries(
    css.split(";").flatMap((declaration) => {
      const [, name, value] =
        /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(declaration) ?? [];
      return name && value ? [[name, value]] : [];
    }),
  );
}

/**
 * Markup of a template as the service printed it, which does not change while it is shown. It is in a tree of its own, so
 * that its classes have no other meaning there and its style sheet applies to nothing else.
 * @param html begins with a `<style>` element
 */
export function IsolatedMarkup({ html }: { html: string }) {
  const canvas = useCanvas();
  const host = useRef<HTMLDivElement>(null);
  const { css, body } = useMemo(() => {
    const [whole = "", sheet = ""] =
      /^<style>([^]*?)<\/style>/.exec(html) ?? [];
    return { css: sheet, body: parseMarkup(html.slice(whole.length)) };
  }, [html]);
  useSignalEffect(() => {
    const { current } = host;
    if (!current) return;
    const root = current.shadowRoot ?? current.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    const content = document.importNode(body, true);
    for (const element of content.querySelectorAll("*"))
      showOnCanvas(element, (source) => getPictureAddress(canvas, source));
    root.replaceChildren(...content.childNodes);
  });
  return <div ref={host} />;
}

/** Nothing is loaded but images of the library, and a click selects the component. */
function showOnCanvas(
  element: Element,
  findAddress: (source: string) => string | null,
): void {
  const style = element.getAttribute(STYLE);
  element.removeAttribute(STYLE);
  if (
    style !== null &&
    !loadsResource(style) &&
    (element instanceof HTMLElement || element instanceof SVGElement)
  )
    element.style.cssText = style;
  const name = element instanceof HTMLImageElement ? "src" : "href";
  const address = element.getAttribute(name);
  if (address === null) return;
  const isPicture = /^(?:img|image)$/i.test(element.localName);
  const pictureAddress = isPicture ? findAddress(address) : null;
  if (pictureAddress !== null) element.setAttribute(name, pictureAddress);
  else if (isPicture || element.localName === "a")
    element.removeAttribute(name);
}
