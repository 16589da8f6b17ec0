import type { Format, ImageType } from "../plugin-api/index.js";
import type { DocumentView } from "../documents/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { Batch } from "../storage/database/index.js";
import type { StatusCounts } from "./count-by-status.js";
import type { WriteBackCounts } from "./count-write-backs.js";

/** A batch as callers see it in a list; times are ISO 8601. */
export interface BatchSummary {
  batchId: string;
  organizationId: string;
  templateId: string;
  templateVersion: number;
  status: "queued" | "running" | "completed";
  totalCount: number;
  /** The share of documents that are terminal, 0 to 1. */
  progress: number;
  formats: Format[];
  imageType: ImageType;
  /** Where the records are; null when they came with the request. */
  platform: string | null;
  /** The batch whose failed documents these are. */
  retryOf: string | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
  cancelledAt: string | null;
  completedAt: string | null;
}

/** One batch, with a page of its documents in the order in which they were sent. */
export interface BatchView extends BatchSummary {
  counts: StatusCounts;
  /** Null when nothing is written back. */
  writeBack: WriteBackCounts | null;
  documents: DocumentView[];
  pagination: { page: number; pageSize: number; total: number };
}

export function batchSummary(row: Batch): BatchSummary {
  const { id, totalCount, remaining, templateVersion, retryOf } = row;
  return {
    batchId: id,
    organizationId: row.organizationId,
    templateId: row.templateId,
    templateVersion,
    status: shownStatus(row),
    totalCount,
    progress: Math.floor(((totalCount - remaining) / totalCount) * 1e4) / 1e4,
    formats: row.formats,
    imageType: row.imageType,
    platform: row.platform,
    retryOf,
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

function shownStatus({ status }: Batch): BatchSummary["status"] {
  if (status !== "accepting") return status;
  throw new PlatenError("internal", "A batch was shown before its time.");
}
