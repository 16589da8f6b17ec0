import { type Fragment, Mark as DocMark, type Node } from "prosemirror-model";
import type {
  Inline,
  Mark,
  Style,
  Text,
} from "../../../../../../../core/plugin-api/definition.js";
import { type TemplatePart, writeTemplate } from "./template-parts.js";
import { sourceOf, styleOf } from "./text-schema.js";
import { docOf, inlinesOf, markSet, nodesOf } from "./text-to-doc.js";

/**
 * The text that a document stands for. Inline nodes of the text that it was made from stay the very same where nothing
 * was changed in them; without marks, line breaks of their own and page numbers it is a plain string.
 * @param before what the document was made from
 */
export function textOf(doc: Node, before: Text): Text {
  const old = docOf(before);
  const start = old.content.findDiffStart(doc.content);
  if (start === null) return before;
  if (isPlain(doc)) return writeTemplate(partsOf(doc.content));
  const inlines = inlinesOf(before);
  if (typeof before === "string") return writeInlines(doc.content, inlines);
  const shrunk = doc.content.size - old.content.size;
  const oldEnd = endOfDifference(old, doc, start);
  const { kept, rest, from, to } = around(inlines, start, oldEnd);
  const middle = doc.slice(from, to + shrunk).content;
  return [...kept, ...writeInlines(middle, inlines), ...rest];
}

/** Where the old document and the new one are the same again, in the old one. */
function endOfDifference(old: Node, doc: Node, start: number): number {
  const end = old.content.findDiffEnd(doc.content);
  if (!end) return old.content.size;
  // Of a letter that was typed beside its like, both ends claim the same place.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return end.a + overlap;
}

/** The inline nodes wholly before and wholly after a change; what touches it is written anew. */
function around(inlines: readonly Inline[], start: number, end: number) {
  const places = placesOf(inlines);
  const first = places.findIndex(({ to }) => to >= start);
  const last = places.findLastIndex(({ from }) => from <= end);
  return {
    kept: inlines.slice(0, first < 0 ? inlines.length : first),
    rest: inlines.slice(last + 1),
    from: places[first]?.from ?? places.at(-1)?.to ?? 0,
    to: places[last]?.to ?? 0,
  };
}

function placesOf(inlines: readonly Inline[]): { from: number; to: number }[] {
  let from = 0;
  return inlines.map((inline) => {
    const size = nodesOf(inline).reduce((sum, node) => sum + node.nodeSize, 0);
    const place = { from, to: from + size };
    from += size;
    return place;
  });
}

function isPlain(doc: Node): boolean {
  return doc.children.every(
    (node) => node.marks.length === 0 && singleOf(node) === null,
  );
}

function isBareBreak(node: Node): boolean {
  return node.type.name === "break" && sourceOf(node.attrs) === "br";
}

function writeInlines(content: Fragment, before: readonly Inline[]): Inline[] {
  const inlines: Inline[] = [];
  let run: Node[] = [];
  const endRun = () => {
    if (run.length > 0) inlines.push(writeRun(run, before));
    run = [];
  };
  for (const node of content.content) {
    const [first] = run;
    const single = singleOf(node);
    if (single || (first && !DocMark.sameSet(first.marks, node.marks)))
      endRun();
    if (single) inlines.push(single);
    else run.push(node);
  }
  endRun();
  return inlines;
}

function singleOf(node: Node): Inline | null {
  if (isBareBreak(node)) return { br: true };
  if (node.type.name !== "number") return null;
  return { pageNumber: sourceOf(node.attrs) === "pages" ? "pages" : "page" };
}

function writeRun(run: readonly Node[], before: readonly Inline[]): Inline {
  const text = writeTemplate(run.map(partOf));
  const marks = run[0]?.marks ?? [];
  return marks.length === 0 ? text : { text, marks: writeMarks(marks, before) };
}

/** Marks that were there already keep the order in which they were written. */
function writeMarks(
  marks: readonly DocMark[],
  before: readonly Inline[],
): Mark[] {
  for (const inline of before) {
    const isMarked = typeof inline !== "string" && "text" in inline;
    const known = isMarked ? inline.marks : undefined;
    if (known && DocMark.sameSet(markSet(known), marks)) return known;
  }
  return marks.map(fromMark);
}

function fromMark(mark: DocMark): Mark {
  switch (mark.type.name) {
    case "bold":
    case "italic":
    case "underline":
    case "strike":
      return mark.type.name;
    case "link":
      return { link: String(mark.attrs["href"]) };
    default: {
      const style: Style = styleOf(mark);
      return { style };
    }
  }
}

export function partsOf(content: Fragment): TemplatePart[] {
  // Texts that differ in marks alone are one here.
  const parts: TemplatePart[] = [];
  for (const part of content.content.map(partOf)) {
    const last = parts.at(-1);
    if (part.kind === "text" && last?.kind === "text")
      parts.splice(-1, 1, { kind: "text", text: last.text + part.text });
    else parts.push(part);
  }
  return parts;
}

function partOf(node: Node): TemplatePart {
  if (node.isText) return { kind: "text", text: node.text ?? "" };
  const source = sourceOf(node.attrs);
  switch (node.type.name) {
    case "chip":
      return { kind: "chip", source };
    case "braces":
      return { kind: "braces", source };
    default:
      return { kind: "break", source: source === "br" ? "\n" : source };
  }
}
