import { useComputed } from "@preact/signals";
import { createElement } from "preact";
import { useState } from "preact/hooks";
import type { Text } from "../../../../../core/plugin-api/definition.js";
import { Icon } from "../../../ui/icon.js";
import { getCatalogEntry } from "../../model/catalog.js";
import { TextEditor } from "../../text/text-editor.js";
import { TextView } from "../../text/text-view.js";
import { getPrinted, useSampleScope } from "../../scope/sample-scope.js";
import { useCanvas, usePictureAddress } from "../canvas-state.js";
import { IsolatedMarkup, Markup } from "./markup.js";
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
  placeholder?: string;
}

export function TextContent({ id, text = "", placeholder }: TextContentProps) {
  const { editor } = useCanvas();
  const { isCopy } = useSampleScope();
  const isTyping = useComputed(() => editor.typingIn.value === id);
  if (isTyping.value && !isCopy) return <TextEditor id={id} />;
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
  const scope = useSampleScope();
  const [broken, setBroken] = useState<string | null>(null);
  const resolveText = (template: string) =>
    template.includes("{{")
      ? (resolveTemplate(template, id, getPrinted(scope, editor)) ?? "")
      : template;
  const address = usePictureAddress(resolveText(src).trim());
  const words = resolveText(alt);
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

/** Markdown or HTML as it is printed, or its source before the service has rendered it. */
export function MarkupView({
  component,
  place,
}: ViewProps<"markdown"> | ViewProps<"html">) {
  const { editor } = useCanvas();
  const scope = useSampleScope();
  const { id = "", type, value } = component;
  const showsValues = editor.showsValues.value;
  const printed = showsValues ? getPrinted(scope, editor) : null;
  // Emails print the source until the service renders them, since their styles are inline.
  const html = place.email ? undefined : printed?.markup[id]?.[value];
  const elementProps = useElementProps(component, place, {
    classes: ["markdown"],
  });
  if (html !== undefined && html.trim() !== "")
    return (
      <div {...elementProps}>
        <Markup html={html} />
      </div>
    );
  const source =
    printed && value.includes("{{")
      ? (resolveTemplate(value, id, printed) ?? value)
      : value;
  return (
    <div {...elementProps}>
      <div class="markup">
        <span class="markup-kind">
          {type === "html" ? "HTML" : t("components.markdown")}
        </span>
        {source}
      </div>
    </div>
  );
}

/** Markup as it is printed, or its source before the service has rendered it and in emails. */
export function HtmlTemplateView({ component, place }: ViewProps<"markup">) {
  const { editor } = useCanvas();
  const scope = useSampleScope();
  const { id = "", html = "", mjml } = component;
  const printed = editor.showsValues.value ? getPrinted(scope, editor) : null;
  const printedMarkup = place.email ? undefined : printed?.markup[id]?.[html];
  const elementProps = useElementProps(component, place);
  return (
    <div {...elementProps}>
      {printedMarkup === undefined ? (
        <div class="markup">
          <span class="markup-kind">
            {mjml === undefined ? "HTML" : "MJML"}
          </span>
          {mjml ?? html}
        </div>
      ) : (
        <IsolatedMarkup html={printedMarkup} key={printedMarkup} />
      )}
    </div>
  );
}

export function PageNumberView({ component, place }: ViewProps<"page-number">) {
  const { editor } = useCanvas();
  const { page, pages } = useSampleScope();
  const { format = editor.design.defaults.pageNumber } = component;
  const text = format
    .replaceAll("{page}", String(page))
    .replaceAll("{pages}", String(pages));
  return <p {...useElementProps(component, place)}>{text}</p>;
}

export function SignFieldView({ component, place }: ViewProps<"sign-field">) {
  const { field, name, id } = component;
  const { editor } = useCanvas();
  const scope = useSampleScope();
  const usual = editor.design.defaults.signFields[field];
  const resolvedName = editor.showsValues.value
    ? resolveTemplate(name, id, getPrinted(scope, editor))
    : null;
  const { width = usual.width, height = usual.height } = component;
  const elementProps = useElementProps(component, place, {
    classes: ["sign-field", `sign-${field}`],
    style: { width: signFieldWidth(width), height },
  });
  return (
    <span {...elementProps}>
      <span>{usual.caption ?? resolvedName ?? name}</span>
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
