import { Fragment, type Node, Slice } from "prosemirror-model";
import { readTemplate, writeTemplate } from "../model/template-parts.js";
import { partsOf } from "../model/doc-to-text.js";
import { textSchema } from "../model/text-schema.js";
import { leafNode, templateNodes } from "../model/text-to-doc.js";

/** What a field takes. */
export interface TextKind {
  /** Without marks and page numbers: a Template. */
  isPlain: boolean;
  isMultiline: boolean;
  /** How a line end that is typed is written. */
  breakSource: "\n" | "br";
}

/** What was copied, as the field can have it: expressions become variables. */
export function fitted(slice: Slice, kind: TextKind): Slice {
  const nodes = slice.content.content.flatMap((node) => fittedNode(node, kind));
  return new Slice(Fragment.fromArray(nodes), 0, 0);
}

export function sliceOf(text: string, kind: TextKind): Slice {
  const content = Fragment.fromArray(templateNodes(text, []));
  return fitted(new Slice(content, 0, 0), kind);
}

/** Copied as a Template, so that it can be pasted wherever one can be. */
export function plainOf(slice: Slice): string {
  return writeTemplate(partsOf(slice.content));
}

function fittedNode(node: Node, kind: TextKind): Node[] {
  const marks = kind.isPlain ? [] : node.marks;
  if (node.isText) return readText(node, kind);
  if (node.type.name === "break")
    return kind.isMultiline
      ? [leafNode("break", kind.breakSource)]
      : [textSchema.text(" ")];
  if (node.type.name === "number" && kind.isPlain) return [];
  return [node.mark(marks)];
}

function readText(node: Node, kind: TextKind): Node[] {
  const marks = kind.isPlain ? [] : node.marks;
  return readTemplate(node.text ?? "").flatMap((part) => {
    if (part.kind === "text") return [textSchema.text(part.text, marks)];
    if (part.kind !== "break") return [leafNode(part.kind, part.source, marks)];
    return fittedNode(leafNode("break", part.source), kind);
  });
}
