import { type EntityManager, In } from "typeorm";
import { clock } from "../lib/clock.js";
import type { XlsxCell } from "../lib/xlsx.js";
import {
  type Format,
  hasRequestedFormat,
  isSignedOutput,
  PlatenError,
} from "../plugin-api/index.js";
import {
  type Batch,
  type Document,
  DocumentRecord,
} from "../storage/database/index.js";
import type { RowSource } from "./batch-draft.js";
import { inChunks, readBatchDocuments } from "./read-batches.js";

const rowsPerRead = 250;

/**
 * The rows of the file that the batch was made of, the header first, each with the state of its document and the links to
 * its files. @throws PlatenError `conflict` for another batch, `gone` when its rows were deleted; before the first row.
 */
export function readSourceTable(
  read: EntityManager,
  batch: Batch,
): AsyncGenerator<XlsxCell[]> {
  const { source } = batch;
  if (source === null)
    throw new PlatenError(
      "conflict",
      "This batch was not made from a file, so there is no table to add links to.",
    );
  if (batch.status === "completed" && batch.recordsPurgeAt === null)
    throw new PlatenError("gone", "The rows of this batch have expired.");
  return readRows(read, batch, source.columns);
}

async function* readRows(
  read: EntityManager,
  { id, formats }: Batch,
  columns: readonly string[],
): AsyncGenerator<XlsxCell[]> {
  const links = formats.map((format) =>
    formats.length === 1 ? "Link" : `Link (${format})`,
  );
  yield [...columns, "Status", ...links, "Error"];
  for await (const rows of inChunks(
    readBatchDocuments(read, id),
    rowsPerRead,
  )) {
    const records = await read.find(DocumentRecord, {
      where: { documentId: In(rows.map((row) => row.id)) },
      select: { documentId: true, source: true },
    });
    const sources = new Map<string, RowSource>(
      records.map(({ documentId, source }) => [
        documentId,
        JSON.parse(source ?? "[]"),
      ]),
    );
    for (const row of rows) {
      const source = sources.get(row.id) ?? [];
      for (const cells of "rows" in source ? source.rows : [source])
        yield [
          ...columns.map((_, index) => toCell(cells[index])),
          row.status,
          ...formats.map((format) => findLink(row, format)),
          row.error,
        ];
    }
  }
}

function findLink({ outputs, expiresAt }: Document, format: Format): XlsxCell {
  const isExpired = expiresAt <= clock.date();
  const output = isExpired
    ? outputs.find((candidate) => format === "pdf" && isSignedOutput(candidate))
    : outputs.find((candidate) => hasRequestedFormat(candidate, [format]));
  return output ? { url: output.url } : null;
}

function toCell(value: unknown): XlsxCell {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    default:
      return value == null ? null : JSON.stringify(value);
  }
}
