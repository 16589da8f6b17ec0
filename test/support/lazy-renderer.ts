import type { Renderer, RenderListener } from "../../core/rendering/index.js";
import { sharedRenderer } from "./renderer.js";

const listeners = new Set<RenderListener>();
let started: Promise<Renderer> | undefined;

/** Listeners are handed on only now, so that listening alone starts no browser. */
function start(): Promise<Renderer> {
  started ??= sharedRenderer().then((renderer) => {
    renderer.observe((render) => {
      for (const listener of listeners) listener(render);
    });
    return renderer;
  });
  return started;
}

/** The renderer that all tests share, which starts when the first document is printed: html needs no browser. */
export const lazyRenderer: Renderer = {
  start: async () => undefined,
  pdf: async (job) => (await start()).pdf(job),
  images: async (job) => (await start()).images(job),
  screenshot: async (job) => (await start()).screenshot(job),
  health: () => ({
    ready: true,
    queued: 0,
    busy: 0,
    restarts: 0,
    pagesReplaced: 0,
  }),
  stats: async () => (await start()).stats(),
  observe: (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  stop: async () => undefined,
};
