import type { Renderer } from "../rendering/index.js";

/** Starts its browser for the first document: whoever only reads templates needs none. */
export function rendererWhenNeeded(renderer: Renderer): Renderer {
  return {
    ...renderer,
    async pdf(job) {
      await renderer.start();
      return renderer.pdf(job);
    },
    async images(job) {
      await renderer.start();
      return renderer.images(job);
    },
    async screenshot(job) {
      await renderer.start();
      return renderer.screenshot(job);
    },
  };
}
