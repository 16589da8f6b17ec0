import { join } from "node:path";
import { z } from "zod";
import type { recordAudit } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import { Outbound } from "../lib/outbound/index.js";
import { type FileStore, PlatenError } from "../plugin-api/index.js";
import { type Asset, type Store, STORE } from "../storage/database/index.js";
import { createToken, provide } from "../lib/injection.js";
import { CONFIG, FILE_STORE, BASE_URL } from "../lib/process-values.js";
import { personSchema, timestampSchema, toView } from "../lib/schemas.js";
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

const assetFields = {
  id: z.string().meta({ format: "uuid" }),
  organizationId: z.string(),
  folderId: z.string().nullable(),
  name: z.string(),
  assetType: z.enum(["image", "video", "font", "pdf"]).meta({
    description: "Detected from the file's content, not its name.",
  }),
  mimeType: z.string().meta({ example: "image/png" }),
  sizeBytes: z.number().int(),
  checksum: z.string().meta({
    description:
      "`sha256:` and 64 hex digits of the stored file; SVGs are sanitized before they are stored.",
  }),
  width: z.number().int().nullable().meta({ description: "Pixels." }),
  height: z.number().int().nullable(),
  details: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      "For a font `family`, `weight`, `style`; for a video `durationSeconds`, `codec`; for an SVG that was not stored as it came, `changes`: what was left out, in sentences; otherwise null.",
  }),
  url: z.string().meta({
    description: "Needs no key. The content behind it never changes.",
  }),
  urls: z.strictObject({
    original: z.string(),
    poster: z
      .string()
      .optional()
      .meta({ description: "For a video: a still image, as PNG." }),
  }),
  use: z.string().meta({
    description: "How a definition refers to this asset.",
    example: "asset:0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
  }),
  isTrashed: z.boolean(),
  trashedAt: timestampSchema.nullable(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
};

export const assetSchema = z
  .strictObject({ ...assetFields, createdById: z.string() })
  .meta({ id: "Asset" });

export const assetListItemSchema = z
  .strictObject({ ...assetFields, createdBy: personSchema })
  .meta({ id: "AssetListItem" });

export type AssetView = z.output<typeof assetSchema>;
export type AssetListView = z.output<typeof assetListItemSchema>;

export function toAssetView(row: Asset, links: AssetLinks): AssetView {
  return toView(assetSchema, row, computeFields(row, links));
}

/** @param row with its `createdBy`. */
export function toAssetListView(row: Asset, links: AssetLinks): AssetListView {
  if (!row.createdBy) throw new Error("createdBy was not loaded");
  const { id, name, email, image } = row.createdBy;
  return toView(assetListItemSchema, row, {
    ...computeFields(row, links),
    createdBy: { id, name, email, image },
  });
}

function computeFields(row: Asset, links: AssetLinks) {
  const poster = links.posterUrl(row);
  const url = links.url(row);
  return {
    checksum: `sha256:${row.contentHash}`,
    url,
    urls: { original: url, ...(poster !== null && { poster }) },
    use: describeUse(row),
    isTrashed: row.trashedAt !== null,
  };
}

function describeUse({ id, assetType, details }: Asset): string {
  if (assetType === "pdf") return `{ "asset": "${id}" }`;
  if (assetType !== "font") return `asset:${id}`;
  return `font-family: ${JSON.stringify(String(details?.["family"]))}`;
}
