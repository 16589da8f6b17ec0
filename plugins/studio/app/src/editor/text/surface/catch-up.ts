import { TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";

/** Keys may come faster than the browser tells where they led the caret: what a key does must not be done behind it. */
export function catchUp(view: EditorView): void {
  const { selection, doc, tr } = view.state;
  const shown = view.dom.ownerDocument.getSelection();
  if (!(selection instanceof TextSelection) || !shown) return;
  const anchor = placeOf(view, shown.anchorNode, shown.anchorOffset);
  const head = placeOf(view, shown.focusNode, shown.focusOffset);
  if (anchor === null || head === null) return;
  if (anchor === selection.anchor && head === selection.head) return;
  view.dispatch(tr.setSelection(TextSelection.create(doc, anchor, head)));
}

function placeOf(
  view: EditorView,
  node: Node | null,
  offset: number,
): number | null {
  if (!node || !view.dom.contains(node)) return null;
  const place = view.posAtDOM(node, offset);
  return place <= view.state.doc.content.size ? place : null;
}
