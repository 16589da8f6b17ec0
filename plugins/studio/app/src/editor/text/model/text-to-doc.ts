import { Fragment, type Mark as DocMark, type Node } from "prosemirror-model";
import type {
  Inline,
  Mark,
  Text,
} from "../../../../../../../core/plugin-api/definition.js";
import { readTemplate, type TemplatePart } from "./template-parts.js";
import { textSchema } from "./text-schema.js";

/** A text of a definition as a document to be typed in. */
export function docOf(text: Text): Node {
  return textSchema.node("doc", null, contentOf(text));
}

function contentOf(text: Text): Fragment {
  return Fragment.fromArray(inlinesOf(text).flatMap(nodesOf));
}

export function inlinesOf(text: Text): readonly Inline[] {
  return typeof text === "string" ? [text] : text;
}

export function nodesOf(inline: Inline): Node[] {
  if (typeof inline === "string") return templateNodes(inline, []);
  if ("br" in inline) return [leafNode("break", "br")];
  if ("pageNumber" in inline) return [leafNode("number", inline.pageNumber)];
  return templateNodes(inline.text, markSet(inline.marks));
}

export function leafNode(
  kind: "break" | "chip" | "braces" | "number",
  source: string,
  marks: readonly DocMark[] = [],
): Node {
  return textSchema.node(kind, { source }, undefined, marks);
}

export function templateNodes(
  source: string,
  marks: readonly DocMark[],
): Node[] {
  return readTemplate(source).map((part) => partNode(part, marks));
}

function partNode(part: TemplatePart, marks: readonly DocMark[]): Node {
  return part.kind === "text"
    ? textSchema.text(part.text, marks)
    : leafNode(part.kind, part.source, marks);
}

/** In the order and with the rules of the document: of two links the last counts. */
export function markSet(
  marks: readonly Mark[] | undefined,
): readonly DocMark[] {
  return (marks ?? []).reduce<readonly DocMark[]>(
    (set, mark) => toMark(mark).addToSet(set),
    [],
  );
}

function toMark(mark: Mark): DocMark {
  if (typeof mark === "string") return textSchema.mark(mark);
  if ("link" in mark) return textSchema.mark("link", { href: mark.link });
  return textSchema.mark("style", { style: mark.style });
}
