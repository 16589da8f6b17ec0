import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { CONFIG } from "../lib/tokens.js";
import { Batches, DocumentWorker, MergeWorker } from "./index.js";
import * as t from "./tokens.js";

export function registerBatches(container: DependencyContainer): void {
  registerClass(container, t.BATCHES, Batches);
  registerClass(container, t.DOCUMENT_WORKER, DocumentWorker);
  registerClass(container, t.MERGE_WORKER, MergeWorker);
  registerFactory(
    container,
    t.BATCH_DRAFT_FOLDER,
    (c) => c.resolve(CONFIG).dataFolder,
  );
  registerFactory(
    container,
    t.MAX_BATCH_ITEMS,
    (c) => c.resolve(CONFIG).batch.maxItems,
  );
  registerFactory(container, t.DOCUMENT_WORKER_OPTIONS, (c) => {
    const { batch, render } = c.resolve(CONFIG);
    // While each page prints one document, another is merged or stored; a few more, so that no page ever waits.
    const defaultConcurrency = 2 * render.pages + 4;
    return {
      concurrency: batch.concurrency ?? defaultConcurrency,
      perOrganization: batch.perOrganization,
      retryDelaysMs: batch.retryDelaysMs,
      renderTimeoutMs: render.timeoutMs,
    };
  });
}
