import type { DependencyContainer } from "tsyringe";
import { Batches } from "../batches/index.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

/** Many records at once; who works on them is told in start-work.ts. */
export function joinBatches(container: DependencyContainer): void {
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
