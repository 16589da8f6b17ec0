import type { DocumentStatus } from "../storage/database/views.js";

// What the studio shows of this capability: types and lists alone, since its pages import this file.

export interface CachedFile {
  bytes: Uint8Array;
  mimeType: string;
  /** How long browsers may cache it, in seconds; not at all when left out. */
  maxAgeSeconds?: number;
}

/** Times are ISO 8601. */
export interface DocumentLine {
  id: string;
  status: DocumentStatus;
  isTest: boolean;
  template: { id: string; name: string };
  /** Without its extension; null before the document is merged. */
  fileName: string | null;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  outputs: {
    label: string;
    url: string;
    mimeType: string;
    sizeBytes: number;
  }[];
  /** Why it failed. */
  error: string | null;
  /** Why its files could not be saved to the record; null when they could, or nothing was to be saved. */
  saveError: string | null;
  /** Why it was not delivered, or may not have been: each error once. */
  deliveryErrors: string[];
}

export interface BatchFailures {
  data: { error: string; count: number }[];
  /** How many documents failed with these and other errors. */
  total: number;
}

export const PRINT_FORMATS = ["pdf", "html", "png"] as const;
export type PrintFormat = (typeof PRINT_FORMATS)[number];

export interface RecentPayload {
  at: string;
  source: "document" | "batch";
  data: unknown;
}
