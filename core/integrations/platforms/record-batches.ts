import type { Alongside } from "../../batches/index.js";
import type { Batch } from "../../storage/database/index.js";
import {
  generateFromRecords,
  type GenerateParts,
} from "./generate-from-records.js";
import type { RecordsRequest } from "./records-request.js";
import {
  type AgainParts,
  writeBackAgain,
} from "./write-back/write-back-again.js";

export interface RecordBatchesParts extends GenerateParts, AgainParts {}

/** Batches of a platform's records. To one organization, another's do not exist. */
export class RecordBatches {
  constructor(private readonly parts: RecordBatchesParts) {}

  /** See `generateFromRecords`; to be answered within 5 s. */
  generate(request: RecordsRequest, alongside?: Alongside): Promise<Batch> {
    return generateFromRecords(this.parts, request, alongside);
  }

  /**
   * Tries the write-backs of a batch again that have failed. @returns how many.
   * @throws PlatenError `not_found`; `conflict` when none has failed; `gone` when their files have expired.
   */
  writeBackAgain(organizationId: string, batchId: string): Promise<number> {
    return writeBackAgain(this.parts, organizationId, batchId);
  }
}
