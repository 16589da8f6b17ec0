import type { AppVisitor } from "./app-plugin.js";

// Lists that apps show and the public API does not have. Times are ISO 8601; lists have the newest first.

export interface TemplateCard {
  id: string;
  name: string;
  description: string | null;
  templateType: "document" | "email";
  thumbnailUrl: string;
  isActive: boolean;
  isFavorite: boolean;
  /** null: it lies in none. */
  folderId: string | null;
  updatedAt: string;
}

export const TEMPLATE_SHOWS = ["all", "favorites", "recent", "trash"] as const;
export type TemplateShow = (typeof TEMPLATE_SHOWS)[number];

export const DOCUMENT_STATUSES = [
  "queued",
  "rendering",
  "succeeded",
  "failed",
  "expired",
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

export interface DocumentLine {
  id: string;
  status: DocumentStatus;
  isTest: boolean;
  template: { id: string; name: string };
  /** Without its ending; null before it is merged. */
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
}

/** From 1, of at most 100. */
interface Slice {
  page: number;
  pageSize: number;
}

/** The organization's templates; those in the trash only where `show` asks for them. */
export interface AppTemplates {
  list(
    visitor: AppVisitor,
    query: Slice & {
      q: string;
      show: TemplateShow;
      /** Those in this folder alone; null for all. */
      folderId: string | null;
    },
  ): Promise<{ data: TemplateCard[]; total: number }>;
}

/** The organization's documents. */
export interface AppDocuments {
  list(
    visitor: AppVisitor,
    query: Slice & {
      /** Empty for all. */
      statuses: readonly DocumentStatus[];
      templateId: string | null;
      batchId: string | null;
    },
  ): Promise<{ data: DocumentLine[]; total: number }>;
}
