import { useComputed } from "@preact/signals";
import { createElement } from "preact";
import { useState } from "preact/hooks";
import type { Text } from "../../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../../ui/icon.js";
import { getCatalogEntry } from "../../model/catalog.js";
import { TextEditor } from "../../text/text-editor.js";
import { TextView } from "../../text/text-view.js";
import { useCanvas } from "../canvas-state.js";
import {
  useElementProps,
  type ElementProps,
  resolveTemplate,
  type ViewProps,
} from "./element-props.js";
import { t } from "../../../messages/index.js";

export function HeadingView({ component, place }: ViewProps<"heading">) {
  const { level = 1, text } = component;
  const elementProps = useElementProps(component, place);
  return createElement(
    `h${level}`,
    elementProps,
    <TextContent
      id={component.id ?? ""}
      text={text}
      placeholder={t("components.heading")}
    />,
  );
}

export function TextBlockView({ component, place }: ViewProps<"text">) {
  const isMarkdown = hasMarkdown(component.text);
  const elementProps = useElementProps(component, place, {
    classes: [isMarkdown && "markdown"],
  });
  const content = (
    <TextContent
      id={component.id ?? ""}
      text={component.text}
      placeholder={t("common.text")}
    />
  );
  // As in print, since Markdown has its own paragraphs.
  return isMarkdown ? (
    <div {...elementProps}>{content}</div>
  ) : (
    <p {...elementProps}>{content}</p>
  );
}

function hasMarkdown(text: Text): boolean {
  const parts = typeof text === "string" ? [text] : text;
  return parts.some((part) => {
    const source =
      typeof part === "string" ? part : "text" in part && part.text;
    return source && /\|\s*markdown\b/.test(source);
  });
}

/** Not a link, so that a click selects it. */
export function ButtonView({ component, place }: ViewProps<"button">) {
  const elementProps = useElementProps(component, place, {
    classes: ["button"],
  });
  return (
    <span {...elementProps}>
      <TextContent
        id={component.id ?? ""}
        text={component.text}
        placeholder={t("common.button")}
      />
    </span>
  );
}

interface TextContentProps {
  id: string;
  text: Text | undefined;
  /** Shown if the text is empty. */
  placeholder?: string;
}

/** A component's text, or its editor while it is being edited. */
export function TextContent({ id, text = "", placeholder }: TextContentProps) {
  const { editor } = useCanvas();
  const isTyping = useComputed(() => editor.typingIn.value === id);
  if (isTyping.value) return <TextEditor id={id} />;
  if (text.length === 0 && placeholder !== undefined)
    return <span class="no-text">{placeholder}</span>;
  return <TextView text={text} owner={id} />;
}

export function ImageView({ component, place }: ViewProps<"image">) {
  const { src, alt = "", width, height, fit } = component;
  const {
    class: names,
    style,
    ...outer
  } = useElementProps(component, place, {
    style: {
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(fit !== undefined && { "object-fit": fit }),
    },
  });
  const elementProps: Pick<ElementProps, "class" | "style"> = {
    ...(names !== undefined && { class: names }),
    ...(style && { style }),
  };
  return (
    <div {...outer} class="d-image">
      <Picture
        id={component.id}
        src={src}
        alt={alt}
        elementProps={elementProps}
      />
    </div>
  );
}

interface PictureProps {
  /** The component whose scope the Templates use. */
  id: string | undefined;
  /** A Template of an asset reference, a data URL or a URL. */
  src: string;
  alt: string;
  elementProps: Pick<ElementProps, "class" | "style">;
}

/** An image, or a placeholder of its size with the alternative text. */
function Picture({ id, src, alt, elementProps }: PictureProps) {
  const { editor } = useCanvas();
  const [broken, setBroken] = useState<string | null>(null);
  const shown = (template: string) =>
    template.includes("{{")
      ? (resolveTemplate(template, id, editor.facts.value) ?? "")
      : template;
  const address = usePictureAddress(shown(src).trim());
  const words = shown(alt);
  if (address !== null && address !== broken)
    return (
      <img
        {...elementProps}
        src={address}
        alt={words}
        draggable={false}
        onError={() => setBroken(address)}
      />
    );
  return (
    <span {...elementProps} class="picture-place">
      <Icon name="image" size={16} />
      <span>{words || t("common.image")}</span>
    </span>
  );
}

/** The URL of an image; null if it is external, unknown or not loaded yet. */
export function usePictureAddress(source: string): string | null {
  const canvas = useCanvas();
  const asset = /^asset:(.+)$/.exec(source)?.[1];
  if (asset !== undefined) return canvas.assets.of(asset).value;
  return source.startsWith("data:image/") ? source : null;
}

/** The source of Markdown or HTML. Only the print renders it. */
export function MarkupView({
  component,
  place,
}: ViewProps<"markdown"> | ViewProps<"html">) {
  const { editor } = useCanvas();
  const { id, type, value } = component;
  const source =
    editor.showsValues.value && value.includes("{{")
      ? (resolveTemplate(value, id, editor.facts.value) ?? value)
      : value;
  return (
    <div {...useElementProps(component, place, { classes: ["markdown"] })}>
      <div class="markup">
        <span class="markup-kind">
          {type === "html" ? "HTML" : t("components.markdown")}
        </span>
        {source}
      </div>
    </div>
  );
}

/** The page number of the shown page. */
export function PageNumberView({ component, place }: ViewProps<"page-number">) {
  const { page, pageCount, editor } = useCanvas();
  const { format = editor.design.defaults.pageNumber } = component;
  const { value: pages } = pageCount;
  const number = page.value === "first" ? 1 : Math.min(2, pages);
  const text = format
    .replaceAll("{page}", String(number))
    .replaceAll("{pages}", String(pages));
  return <p {...useElementProps(component, place)}>{text}</p>;
}

/** A signature field as it is printed. */
export function SignFieldView({ component, place }: ViewProps<"sign-field">) {
  const { field, name, id } = component;
  const { editor } = useCanvas();
  const usual = editor.design.defaults.signFields[field];
  const shown = editor.showsValues.value
    ? resolveTemplate(name, id, editor.facts.value)
    : null;
  const { width = usual.width, height = usual.height } = component;
  const elementProps = useElementProps(component, place, {
    classes: ["sign-field", `sign-${field}`],
    style: { width: signFieldWidth(width), height },
  });
  return (
    <span {...elementProps}>
      <span>{usual.caption ?? shown ?? name}</span>
    </span>
  );
}

/** A percentage includes the gap to the next field, as in print. */
function signFieldWidth(width: string): string {
  return width.endsWith("%") ? `calc(${width} - var(--sign-gap,0pt))` : width;
}

/** A component of an unknown type or in the wrong place. It can still be selected, moved and deleted. */
export function UnsupportedView({ component, place }: ViewProps) {
  const {
    class: _none,
    style: _no,
    ...elementProps
  } = useElementProps(component, place);
  return (
    <div {...elementProps} class="away">
      {t("canvas.notDisplayed", {
        component: getCatalogEntry(component.type)?.words ?? component.type,
      })}
    </div>
  );
}
