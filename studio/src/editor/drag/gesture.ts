/** A position in the window, in CSS px. */
export interface Point {
  x: number;
  y: number;
}

/** What the pressed pointer does until it is released, for example dragging a component. */
export interface Gesture {
  move(at: Point, event: PointerEvent): void;
  /** The pointer was released. */
  end(): void;
  /** Leaves everything as it was before the gesture. */
  cancel(): void;
}

/** In CSS px: the distance from an edge at which the page scrolls, and the most it scrolls per frame. */
const SCROLL_MARGIN = 48;
const MAX_STEP = 18;

/** Scrolls the page or the outline if a point is near one of its edges. */
export function scrollAtEdge(
  under: Element | null,
  { x, y }: { x: number; y: number },
): void {
  const box = under?.closest(".canvas, .outline-tree");
  if (!box) return;
  const { left, right, top, bottom } = box.getBoundingClientRect();
  box.scrollBy(getStep(x - left, right - x), getStep(y - top, bottom - y));
}

function getStep(fromStart: number, fromEnd: number): number {
  if (fromStart < SCROLL_MARGIN) return -getSpeed(fromStart);
  return fromEnd < SCROLL_MARGIN ? getSpeed(fromEnd) : 0;
}

function getSpeed(distance: number): number {
  return (MAX_STEP * (SCROLL_MARGIN - Math.max(0, distance))) / SCROLL_MARGIN;
}
