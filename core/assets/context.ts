import { join } from "node:path";
import type { recordAudit } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import { Outbound } from "../lib/outbound/index.js";
import { type FileStore, PlatenError } from "../plugin-api/index.js";
import {
  type Asset,
  type Store,
  type User,
  STORE,
} from "../storage/database/index.js";
import { createToken, provide } from "../lib/injection.js";
import { CONFIG, FILE_STORE, BASE_URL } from "../lib/process-values.js";
import { PdfEditor } from "../rendering/index.js";
import { AssetLinks } from "./asset-links.js";
import { PdfChecks } from "./pdfs.js";

/** A fetched asset may be a video, which takes longer than a document's image. */
const fetchTimeoutFactor = 6;

export const ASSET_CONTEXT = createToken<AssetContext>("AssetContext");
provide(ASSET_CONTEXT, (c) => {
  const { assets, dataFolder } = c.resolve(CONFIG);
  return {
    store: c.resolve(STORE),
    files: c.resolve(FILE_STORE),
    outbound: c.resolve(Outbound),
    links: c.resolve(AssetLinks),
    limits: {
      imageBytes: assets.maxBytes,
      imagePixels: assets.maxPixels,
      videoBytes: assets.maxVideoBytes,
      fontBytes: assets.maxFontBytes,
      pdfBytes: assets.maxPdfBytes,
      organizationBytes: assets.maxOrganizationBytes,
      isFetching: assets.isFetching,
      fetchTimeoutMs: assets.timeoutMs * fetchTimeoutFactor,
    },
    pdfChecks: new PdfChecks(c.resolve(PdfEditor)),
    compute: c.resolve(Compute),
    baseUrl: c.resolve(BASE_URL),
    folder: join(dataFolder, "uploads"),
  };
});

/** What the modules of the asset library share. */
export interface AssetContext {
  store: Pick<Store, "read" | "snapshot" | "unitOfWork">;
  files: FileStore;
  outbound: Pick<Outbound, "forOrganization">;
  links: AssetLinks;
  limits: AssetLimits;
  pdfChecks: PdfChecks;
  compute: Pick<Compute, "cleanSvg" | "readFont">;
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
  /** Of all assets of an organization, with those in the trash; no limit without it. */
  organizationBytes?: number | null;
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

/** An asset in responses. Times are ISO 8601. */
export interface AssetView {
  id: string;
  organizationId: string;
  folderId: string | null;
  name: string;
  assetType: Asset["assetType"];
  mimeType: string;
  sizeBytes: number;
  /** Of the stored file: `sha256:` and 64 hex digits. */
  checksum: string;
  /** Pixels; null for fonts and PDFs. */
  width: number | null;
  height: number | null;
  /** For a font, the CSS values `family`, `weight` and `style`; for a video, `durationSeconds` and `codec`. */
  details: Record<string, unknown> | null;
  /** Needs no API key; its content never changes. */
  url: string;
  urls: {
    original: string;
    /** A still image of a video. */
    poster?: string;
  };
  /** How to refer to it in a definition. */
  use: string;
  isTrashed: boolean;
  trashedAt: string | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
}

export interface AssetListView extends Omit<AssetView, "createdById"> {
  createdBy: Pick<User, "id" | "name" | "email" | "image">;
}

export function toAssetView(row: Asset, links: AssetLinks): AssetView {
  return { ...toCommonView(row, links), createdById: row.createdById };
}

/** @param row with its `createdBy`. */
export function toAssetListView(row: Asset, links: AssetLinks): AssetListView {
  if (!row.createdBy) throw new Error("createdBy was not loaded");
  const { id, name, email, image } = row.createdBy;
  return { ...toCommonView(row, links), createdBy: { id, name, email, image } };
}

function toCommonView(
  row: Asset,
  links: AssetLinks,
): Omit<AssetView, "createdById"> {
  const { id, organizationId, folderId, name, assetType, mimeType } = row;
  const { sizeBytes, contentHash, width, height, details } = row;
  const poster = links.posterUrl(row);
  const original = links.url(row);
  return {
    id,
    organizationId,
    folderId,
    name,
    assetType,
    mimeType,
    sizeBytes,
    checksum: `sha256:${contentHash}`,
    width,
    height,
    details,
    url: original,
    urls: { original, ...(poster !== null && { poster }) },
    use: describeUse(row),
    isTrashed: row.trashedAt !== null,
    trashedAt: row.trashedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function describeUse({ id, assetType, details }: Asset): string {
  if (assetType === "pdf") return `{ "asset": "${id}" }`;
  if (assetType !== "font") return `asset:${id}`;
  return `font-family: ${JSON.stringify(String(details?.["family"]))}`;
}
