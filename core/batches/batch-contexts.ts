import { LRUCache } from "lru-cache";
import {
  getPromisedTemplate,
  type QueuedDocument,
  type TemplateToRender,
} from "../documents/index.js";
import { Batch, type Store } from "../storage/database/index.js";

/** What all documents of a batch have in common, and what never changes while it runs. */
export interface BatchContext {
  template: TemplateToRender;
  renderOptions: QueuedDocument["renderOptions"];
  signing: QueuedDocument["signing"];
  /** See `Batch.platform`. */
  platform: string | null;
}

const kept = 200;

/** Spares every document but the first of a batch the look-up of batch and template. */
export class BatchContexts {
  readonly #contexts: LRUCache<string, BatchContext>;

  constructor(store: Pick<Store, "read" | "unitOfWork">) {
    this.#contexts = new LRUCache({
      max: kept,
      fetchMethod: (batchId) => begin(store, batchId),
    });
  }

  /** The first call for a batch marks it as running. @throws PlatenError `not_found`. */
  of(batchId: string): Promise<BatchContext> {
    return this.#contexts.forceFetch(batchId);
  }
}

async function begin(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  batchId: string,
): Promise<BatchContext> {
  const batch = await read.findOneByOrFail(Batch, { id: batchId });
  const template = await getPromisedTemplate(read, batch);
  await unitOfWork.run((tx) =>
    tx.update(
      Batch,
      { id: batchId, status: "queued" },
      { status: "running", updatedAt: new Date() },
    ),
  );
  const { platform, signing } = batch;
  return {
    template,
    signing,
    renderOptions: batch.renderOptions ?? undefined,
    platform,
  };
}
