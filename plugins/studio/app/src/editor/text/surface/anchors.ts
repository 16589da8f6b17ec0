import type { Anchor } from "../overlay.js";
import type { TextSurface } from "./text-surface.js";

/** A place in the text, one letter wide. */
export function caretAnchor({ view }: TextSurface, place: number): Anchor {
  return {
    element: view.dom,
    rect: () => {
      const { size } = view.state.doc.content;
      const { left, top, bottom } = view.coordsAtPos(Math.min(place, size));
      return new DOMRect(left, top, 1, bottom - top);
    },
  };
}

/** The variable at a place. */
export function chipAnchor({ view }: TextSurface, place: number): Anchor {
  return {
    element: view.dom,
    rect: () => {
      const node = view.nodeDOM(place);
      const element = node instanceof Element ? node : view.dom;
      return element.getBoundingClientRect();
    },
  };
}

/** What is selected, from its first to its last letter. */
export function selectionAnchor({ view }: TextSurface): Anchor {
  return {
    element: view.dom,
    rect: () => {
      const { from, to } = view.state.selection;
      const start = view.coordsAtPos(from);
      const end = view.coordsAtPos(to, -1);
      const left = Math.min(start.left, end.left);
      const right = Math.max(start.right, end.right);
      const isOneLine = Math.abs(start.top - end.top) < 4;
      const box = view.dom.getBoundingClientRect();
      const x = isOneLine ? left : box.left;
      const width = isOneLine ? right - left : box.width;
      return new DOMRect(x, start.top, width, end.bottom - start.top);
    },
  };
}
