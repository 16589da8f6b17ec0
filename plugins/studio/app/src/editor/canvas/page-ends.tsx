import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { useCanvas } from "./canvas-state.js";

/** About where each page ends: lines across the sheet, as far apart as a page's content is high. */
export function PageEnds({ main }: { main: RefObject<HTMLDivElement | null> }) {
  const { paper, pageCount } = useCanvas();
  const { height, top, bottom } = paper.value;
  const room = height - top - bottom;
  const ends = useSignal<readonly number[]>([]);
  useEffect(() => {
    const element = main.current;
    if (!element) return undefined;
    const follow = new ResizeObserver(() => {
      const breaks = breaksIn(element);
      ends.value = endsIn(element, breaks, room);
      pageCount.value = ends.peek().length + breaks.length + 1;
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

/** Where it is that the template goes on with a new page, from the top of the content, in px. */
function breaksIn(main: HTMLElement): number[] {
  const { top, height } = main.getBoundingClientRect();
  const scale = height / main.offsetHeight || 1;
  return [...main.querySelectorAll(".d-page-break")].map(
    (one) => (one.getBoundingClientRect().top - top) / scale,
  );
}

/** Each page break begins to count anew. */
function endsIn(
  main: HTMLElement,
  breaks: readonly number[],
  room: number,
): number[] {
  return [0, ...breaks].flatMap((start, index) => {
    const end = breaks[index] ?? main.offsetHeight;
    const count = Math.max(0, Math.ceil((end - start) / room) - 1);
    return Array.from(
      { length: count },
      (_none, at) => start + (at + 1) * room,
    );
  });
}
