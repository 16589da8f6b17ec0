import { useSignalEffect } from "@preact/signals";

/** A rectangle on the screen. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where an element is on the screen, in px; of one without a box of its own (a group), all of its content. */
export function getBox(element: Element): Box {
  const own = element.getBoundingClientRect();
  if (own.width > 0 || own.height > 0 || !isContents(element)) return own;
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

function isContents(element: Element): boolean {
  return getComputedStyle(element).display === "contents";
}

/** The drawn element of a component; null where it is not drawn. */
export function findElement(root: ParentNode, id: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
}

type End = (() => void) | undefined;

/**
 * Acts on the drawn page, once it is drawn, each time something that `watch` reads has changed.
 * @param act returns what takes it back before the next time
 */
export function useAfterRender(watch: () => void, act: () => End): void {
  useSignalEffect(() => {
    watch();
    let end: End;
    const frame = requestAnimationFrame(() => {
      end = act();
    });
    return () => {
      cancelAnimationFrame(frame);
      end?.();
    };
  });
}
