import { createElement, type ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import { usePictureAddress } from "../canvas-state.js";

/**
 * HTML as the service sanitized it for the print. It is made of elements, because the content security policy allows
 * no styles in HTML.
 */
export function Markup({ html }: { html: string }) {
  const { body } = useMemo(
    () => new DOMParser().parseFromString(html, "text/html"),
    [html],
  );
  return <>{toChildren(body)}</>;
}

function toChildren(element: Element): ComponentChild[] {
  return [...element.childNodes].map((node) =>
    node instanceof Element ? toElement(node) : node.textContent,
  );
}

function toElement(element: Element): ComponentChild {
  const { localName } = element;
  const style = toStyle(element.getAttribute("style") ?? "");
  if (localName === "img") return <MarkupImage image={element} style={style} />;
  const props = Object.fromEntries(
    [...element.attributes]
      // No links, so that a click selects the component.
      .filter(({ name }) => name !== "href" && name !== "style")
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
    css.split(";").flatMap((one) => {
      const [, name, value] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(one) ?? [];
      return name && value ? [[name, value]] : [];
    }),
  );
}
