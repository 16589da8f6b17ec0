import pLimit from "p-limit";
import type { Renderer } from "../rendering/index.js";

/**
 * The renderer as background work uses it: with no more than so many jobs at a time. Its pages are served in turn, so
 * that whoever asks while a batch runs has at most a job or two before them.
 */
export function backgroundRenderer(renderer: Renderer, jobs: number): Renderer {
  const inTurn = pLimit(jobs);
  return {
    ...renderer,
    pdf: (job) => inTurn(() => renderer.pdf(job)),
    images: (job) => inTurn(() => renderer.images(job)),
    screenshot: (job) => inTurn(() => renderer.screenshot(job)),
  };
}
