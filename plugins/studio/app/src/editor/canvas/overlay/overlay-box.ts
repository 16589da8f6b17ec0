import type { Box } from "../box.js";

/** A box of the screen in px from the corner of the place over which it is drawn. */
export function within(place: Element, box: Box): Box {
  const { left, top } = place.getBoundingClientRect();
  const { width, height } = box;
  return { left: box.left - left, top: box.top - top, width, height };
}

export function styleOf({ left, top, width, height }: Box) {
  return {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
  };
}
