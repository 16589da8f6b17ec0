import type { AppVisitor } from "./app-plugin.js";

// What became of an organization's work as a whole. Times are ISO 8601.

export interface BatchLine {
  id: string;
  status: "queued" | "running" | "completed";
  template: { id: string; name: string };
  totalCount: number;
  /** Documents that have not ended yet. */
  remaining: number;
  failed: number;
  /** Whose records these are; null when they came with a request. */
  platform: string | null;
  createdBy: string;
  createdAt: string;
  cancelledAt: string | null;
  completedAt: string | null;
}

/** The organization's batches, the newest first. */
export interface AppBatches {
  list(
    visitor: AppVisitor,
    query: {
      /** From 1. */
      page: number;
      /** At most 100. */
      pageSize: number;
      /** Null for all; else this one alone. */
      batchId: string | null;
    },
  ): Promise<{ data: BatchLine[]; total: number }>;
}

/** What the organization used. */
export interface AppUsage {
  /** @param month in UTC, such as `2026-07`; its days, such as `2026-07-31`, in order, without those on which nothing was made. */
  days(
    visitor: AppVisitor,
    month: string,
  ): Promise<{ day: string; documents: number }[]>;
}
