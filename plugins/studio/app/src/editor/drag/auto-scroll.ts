/** In CSS px: how near to an edge a pointer scrolls, and how far in a frame at most. */
const reach = 48;
const mostStep = 18;

/** Scrolls what is under a point when that is near to its upper or lower edge. Says whether it moved. */
export function scrollAtEdge(
  under: Element | null,
  { x, y }: { x: number; y: number },
): boolean {
  const box = under?.closest(".canvas, .outline-tree");
  if (!box) return false;
  const before = [box.scrollLeft, box.scrollTop];
  const { left, right, top, bottom } = box.getBoundingClientRect();
  box.scrollBy(step(x - left, right - x), step(y - top, bottom - y));
  return box.scrollLeft !== before[0] || box.scrollTop !== before[1];
}

function step(fromStart: number, fromEnd: number): number {
  if (fromStart < reach) return -speed(fromStart);
  return fromEnd < reach ? speed(fromEnd) : 0;
}

function speed(distance: number): number {
  return (mostStep * (reach - Math.max(0, distance))) / reach;
}
