import { Bubble } from "./bubble/bubble.js";
import { PlainBeside } from "./plain-beside.js";
import type { TextSurface } from "./surface/text-surface.js";

/** What opens beside a text that may have marks. */
export function RichBeside({ surface }: { surface: TextSurface }) {
  return (
    <>
      <PlainBeside surface={surface} />
      {surface.isSelecting.value && <Bubble surface={surface} />}
    </>
  );
}
