import { createElement } from "preact";
import type { Text } from "../../../../../../../core/plugin-api/definition.js";
import { useLook } from "../look.js";
import { TextContent } from "../text-content.js";
import type { ViewProps } from "./view-props.js";

export function HeadingView({ component, place }: ViewProps<"heading">) {
  const { level = 1, text } = component;
  const look = useLook(component, place);
  return createElement(
    `h${level}`,
    look,
    <TextContent id={component.id ?? ""} text={text} placeholder="Heading" />,
  );
}

export function TextBlockView({ component, place }: ViewProps<"text">) {
  const isMarkdown = hasMarkdown(component.text);
  const look = useLook(component, place, {
    classes: [isMarkdown && "markdown"],
  });
  const content = (
    <TextContent
      id={component.id ?? ""}
      text={component.text}
      placeholder="Text"
    />
  );
  // As in print: Markdown brings paragraphs of its own.
  return isMarkdown ? (
    <div {...look}>{content}</div>
  ) : (
    <p {...look}>{content}</p>
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
