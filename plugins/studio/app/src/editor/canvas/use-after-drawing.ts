import { useSignalEffect } from "@preact/signals";

type End = (() => void) | undefined;

/**
 * Acts on the drawn page, once it is drawn, each time something that `watch` reads has changed.
 * @param act returns what takes it back before the next time
 */
export function useAfterDrawing(watch: () => void, act: () => End): void {
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
