import type {
  Inline,
  Mark,
  Text,
} from "../../definition/schema/text-schema.js";
import { styleAttribute } from "./attributes.js";
import { endsInMarkdown, type Site } from "./site.js";

/** Running text with its marks, as inline markup. */
export function emitText(text: Text | undefined, site: Site): string {
  if (text === undefined) return "";
  if (typeof text === "string") return site.text(text, "html");
  return text.map((inline) => emitInline(inline, site)).join("");
}

/** Whether one of its expressions ends in Markdown. */
export function hasMarkdown(text: Text): boolean {
  if (typeof text === "string") return endsInMarkdown(text);
  return text.some((inline) => {
    if (typeof inline === "string") return endsInMarkdown(inline);
    return "text" in inline && endsInMarkdown(inline.text);
  });
}

function emitInline(inline: Inline, site: Site): string {
  if (typeof inline === "string") return site.text(inline, "html");
  if ("br" in inline) return "<br/>";
  if ("pageNumber" in inline) return site.numbers[inline.pageNumber];
  const marks = inline.marks ?? [];
  return marks.reduceRight(
    (content, mark) => emitMark(mark, content, site),
    site.text(inline.text, "html"),
  );
}

const ELEMENTS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
} as const;

function emitMark(mark: Mark, content: string, site: Site): string {
  if (typeof mark === "string")
    return `<${ELEMENTS[mark]}>${content}</${ELEMENTS[mark]}>`;
  if ("link" in mark)
    return `<a href="${site.text(mark.link, "url")}">${content}</a>`;
  return `<span${styleAttribute(mark.style, site)}>${content}</span>`;
}
