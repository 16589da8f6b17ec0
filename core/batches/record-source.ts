import type { EntityManager } from "typeorm";
import type { Output } from "../plugin-api/index.js";
import type { Batch, Document } from "../storage/database/index.js";

/**
 * Who knows the data of batches that were accepted without it (`Batch.platform`). It brings each document its record
 * and then wakes it, and hears of those that succeed.
 */
export interface RecordSource {
  /** Sees to it that the data of a document, which a worker has found missing, is brought soon. */
  bring(tx: EntityManager, document: Document): Promise<void>;
  /** Joins the transaction in which a document of such a batch succeeds. */
  succeeded(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void>;
  /** Joins the acceptance of a batch that retries another one. */
  retried(tx: EntityManager, from: Batch, to: Batch): Promise<void>;
  /** Called after transactions that `succeeded` or `retried` has joined. */
  nudge(): void;
}
