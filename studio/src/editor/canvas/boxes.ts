import { useSignalEffect } from "@preact/signals";

/** A rectangle in the window. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The box of an element in the window, in px; for an element without a box (a group), the box of its content. */
export function getBox(element: Element): Box {
  const rect = element.getBoundingClientRect();
  if (rect.width > 0 || rect.height > 0 || !isContents(element)) return rect;
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

/** The boxes of an element in the window, in px, one for each page; of a group, a single one. */
export function getPageBoxes(element: Element): readonly Box[] {
  const rects = element.getClientRects();
  return rects.length > 1 ? [...rects] : [getBox(element)];
}

/** The boxes of an element in the window, in px: one for each page or line that it spans. */
export function getRects(element: Element): Box[] {
  const rects = [...element.getClientRects()];
  if (rects.length > 0 || !isContents(element)) return rects;
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()];
}

function isContents(element: Element): boolean {
  return getComputedStyle(element).display === "contents";
}

/** The element of a component; null if it is not rendered. */
export function findElement(root: ParentNode, id: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
}

/** The elements of components, in the order of the page; those that are not rendered are left out. */
export function findElements(
  root: ParentNode,
  entries: readonly { id: string }[],
): HTMLElement[] {
  const [first, ...others] = entries;
  if (first && others.length === 0) {
    const only = findElement(root, first.id);
    return only ? [only] : [];
  }
  // One search for all of them, because there can be thousands.
  const ids = new Set<string | undefined>(entries.map(({ id }) => id));
  const all = root.querySelectorAll<HTMLElement>("[data-id]");
  return [...all].filter(({ dataset }) => ids.has(dataset["id"]));
}

/** The copies of a component in further rows and on further pages. */
export function findCopies(root: ParentNode, id: string): HTMLElement[] {
  const selector = `[data-copy="${CSS.escape(id)}"]`;
  return [...root.querySelectorAll<HTMLElement>(selector)];
}

type End = (() => void) | undefined;

/**
 * Runs `act` after the page has rendered, each time a signal that `watch` reads changes.
 * @param act returns a cleanup function that runs before the next time
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
