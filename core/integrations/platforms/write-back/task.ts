import type { EntityManager } from "typeorm";
import type { CellScope } from "../../host/index.js";
import {
  Document,
  RecordBatch,
  WriteBack,
} from "../../../storage/database/index.js";

/** One document's files, and the cell that they go to. */
export interface WriteBackTask {
  row: WriteBack;
  document: Document;
  order: RecordBatch;
  cell: CellScope;
}

/** Null when there is nothing to do any more. */
export async function findTask(
  read: EntityManager,
  documentId: string,
): Promise<WriteBackTask | null> {
  const row = await read.findOneBy(WriteBack, {
    documentId,
    status: "pending",
  });
  if (row === null) return null;
  const { batchId, recordId } = row;
  const document = await read.findOneByOrFail(Document, { id: documentId });
  const order = await read.findOneByOrFail(RecordBatch, { batchId });
  const { baseId, tableId, fieldId } = order;
  const scope = { tableId, ...(baseId !== null && { baseId }) };
  const cell = { ...scope, recordId, fieldId: fieldId ?? "" };
  return { row, document, order, cell };
}
