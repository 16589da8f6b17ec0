import type { recordAudit } from "../accounts/index.js";
import type { Outbound } from "../lib/outbound/index.js";
import { type FileStore, PlatenError } from "../plugin-api/index.js";
import type { Asset, Store } from "../storage/database/index.js";
import type { AssetLinks } from "./asset-links.js";

/** What the modules of the asset library share. */
export interface AssetContext {
  store: Pick<Store, "read" | "snapshot" | "unitOfWork">;
  files: FileStore;
  outbound: Pick<Outbound, "fetch">;
  links: AssetLinks;
  limits: AssetLimits;
  /** The public URL of the service, without a slash at the end. */
  baseUrl: string;
  /** For files that are being uploaded. */
  folder: string;
}

export interface AssetLimits {
  imageBytes: number;
  /** Width times height. */
  imagePixels: number;
  videoBytes: number;
  fontBytes: number;
  pdfBytes: number;
  /** Whether files may be fetched from URLs. */
  isFetching: boolean;
  fetchTimeoutMs: number;
}

/** The largest file of this type; null allows every type. */
export function getMaxBytes(
  { imageBytes, videoBytes, fontBytes, pdfBytes }: AssetLimits,
  assetType: "image" | "video" | null,
): number {
  const maxStill = Math.max(imageBytes, fontBytes, pdfBytes);
  if (assetType === "image") return maxStill;
  return assetType === "video" ? videoBytes : Math.max(maxStill, videoBytes);
}

/** The organization and creator of an asset. */
export interface AssetOwner {
  organizationId: string;
  userId: string;
}

/** What a file is by its content, whatever its name is. */
export interface AssetKind extends Pick<
  Asset,
  "assetType" | "mimeType" | "width" | "height" | "details"
> {
  extension: string;
}

type AuditEventInput = Parameters<typeof recordAudit>[2];

export function createAuditEvent(
  { id: subject, organizationId, name, assetType }: Asset,
  action: AuditEventInput["action"],
): AuditEventInput {
  return { organizationId, action, subject, details: { name, assetType } };
}

/** Returns the name without surrounding whitespace. @throws PlatenError `invalid_request`. */
export function parseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= 255) return trimmed;
  throw new PlatenError("invalid_request", "Invalid asset name.", {
    problems: [
      {
        path: "$.name",
        code: "name",
        message: "must have 1 to 255 characters.",
      },
    ],
  });
}

/** Stored beside the name, so that every database searches all alphabets the same way. */
export function toSearchName(name: string): string {
  return name.toLowerCase();
}
