import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { useCanvas } from "./canvas-state.js";

/** About where each page ends: lines across the sheet, as far apart as a page's content is high. */
export function PageEnds({ main }: { main: RefObject<HTMLDivElement | null> }) {
  const { paper } = useCanvas();
  const { height, top, bottom } = paper.value;
  const room = height - top - bottom;
  const ends = useSignal<readonly number[]>([]);
  useEffect(() => {
    const element = main.current;
    if (!element) return undefined;
    const follow = new ResizeObserver(() => {
      ends.value = endsIn(element, room);
    });
    follow.observe(element);
    return () => follow.disconnect();
  }, [room]);
  return (
    <>
      {ends.value.map((at, index) => (
        <div key={index} class="page-end" style={{ top: `${top + at}px` }}>
          <span>Page {index + 2}</span>
        </div>
      ))}
    </>
  );
}

/** From the top of the content, in px; each page break begins to count anew. */
function endsIn(main: HTMLElement, room: number): number[] {
  const breaks = [...main.querySelectorAll<HTMLElement>(".d-page-break")].map(
    (one) => one.offsetTop - main.offsetTop,
  );
  const starts = [0, ...breaks];
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? main.offsetHeight;
    const count = Math.max(0, Math.ceil((end - start) / room) - 1);
    return Array.from(
      { length: count },
      (_none, at) => start + (at + 1) * room,
    );
  });
}
