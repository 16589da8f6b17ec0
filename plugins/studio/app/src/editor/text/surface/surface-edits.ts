import { Fragment } from "prosemirror-model";
import { NodeSelection, TextSelection } from "prosemirror-state";
import { leafNode } from "../model/text-to-doc.js";
import type { TextSurface } from "./text-surface.js";

// What menus and settings do to a text that is typed.

/** Puts a leaf in place of a part of the text, with the marks that are there; a step of its own. */
export function insertLeaf(
  { view, options }: TextSurface,
  kind: "chip" | "number",
  source: string,
  from: number,
  to: number,
): void {
  const { tr, doc } = view.state;
  const marks = options.isPlain ? [] : doc.resolve(from).marks();
  const node = leafNode(kind, source, marks);
  tr.replaceWith(from, to, node);
  tr.setSelection(TextSelection.create(tr.doc, from + node.nodeSize));
  view.dispatch(tr.setMeta("isStep", true).scrollIntoView());
  view.focus();
}

/** Takes away what was typed to search the menu, which stays open. */
export function clearQuery({ view, trigger }: TextSurface): void {
  const open = trigger.open.peek();
  if (!open || open.query === "") return;
  view.dispatch(view.state.tr.delete(open.to - open.query.length, open.to));
}

/** Another source for the variable at a place, whose settings stay open. */
export function setChip(
  { view }: TextSurface,
  place: number,
  source: string,
): void {
  const { tr, doc } = view.state;
  const node = doc.nodeAt(place);
  if (node?.type.name !== "chip") return;
  const next = leafNode("chip", source, node.marks);
  tr.replaceWith(place, place + node.nodeSize, Fragment.from(next));
  tr.setSelection(NodeSelection.create(tr.doc, place));
  view.dispatch(tr.setMeta("keepsChip", true));
}

export function removeChip(surface: TextSurface, place: number): void {
  const { view } = surface;
  const { tr } = view.state;
  surface.openChip.value = null;
  view.dispatch(tr.delete(place, place + 1).setMeta("isStep", true));
  view.focus();
}
