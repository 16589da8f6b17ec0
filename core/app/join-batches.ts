import type { DependencyContainer } from "tsyringe";
import { backgroundRenderer } from "./background-renderer.js";
import { Batches } from "../batches/index.js";
import { createRenderQueued } from "../documents/index.js";
import { renderParts } from "./join-production.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

/** Many records at once; who works on them is told in start-work.ts. */
export function joinBatches(container: DependencyContainer): void {
  make(container, t.DRAINING, () => new AbortController());
  make(container, t.RENDER_QUEUED, (c) =>
    createRenderQueued({
      ...renderParts(c),
      renderer: backgroundRenderer(
        c.resolve(t.RENDERER),
        c.resolve(t.CONFIG).render.pages + 1,
      ),
    }),
  );
  make(container, t.BATCHES, (c) => {
    const { batch, dataFolder } = c.resolve(t.CONFIG);
    return new Batches({
      store: c.resolve(t.STORE),
      queue: c.resolve(t.QUEUE),
      files: c.resolve(t.FILE_STORE),
      events: c.resolve(t.EVENTS).dispatch,
      records: c.resolve(t.RECORD_SOURCE),
      signing: c.resolve(t.SIGNING),
      payloads: c.resolve(t.RECENT_PAYLOADS),
      draftFolder: dataFolder,
      maxItems: batch.maxItems,
    });
  });
}
