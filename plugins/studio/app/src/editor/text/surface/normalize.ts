import type { EditorState, Transaction } from "prosemirror-state";
import { readTemplate } from "../model/template-parts.js";
import { fitted, type TextKind } from "./pasting.js";
import { Fragment, Slice } from "prosemirror-model";

/** Makes variables of expressions that were typed to their end, and line breaks of line ends; null when there are none. */
export function normalized(
  state: EditorState,
  kind: TextKind,
): Transaction | null {
  const { tr } = state;
  state.doc.forEach((node, offset) => {
    if (!node.isText || !isReadable(node.text ?? "")) return;
    const { content } = fitted(new Slice(Fragment.from(node), 0, 0), kind);
    const from = tr.mapping.map(offset);
    tr.replaceWith(from, from + node.nodeSize, content);
  });
  return tr.docChanged ? tr : null;
}

function isReadable(text: string): boolean {
  if (!/[\r\n]|\}\}/.test(text)) return false;
  return readTemplate(text).some(
    ({ kind }) => kind === "chip" || kind === "break",
  );
}
