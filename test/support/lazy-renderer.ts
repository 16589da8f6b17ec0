import type { Renderer } from "../../core/render/index.js";
import { sharedRenderer } from "./renderer.js";

/** The renderer that all tests share, which starts when the first document is printed: html needs no browser. */
export const lazyRenderer: Renderer = {
  start: async () => undefined,
  pdf: async (job) => (await sharedRenderer()).pdf(job),
  images: async (job) => (await sharedRenderer()).images(job),
  screenshot: async (job) => (await sharedRenderer()).screenshot(job),
  health: () => ({
    ready: true,
    queued: 0,
    busy: 0,
    restarts: 0,
    pagesReplaced: 0,
  }),
  stop: async () => undefined,
};
