import { z } from "zod";
import { person, timestamp } from "./common.js";

const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(255, "must be at most 255 characters long");

const folderId = z
  .string()
  .nullable()
  .meta({ description: "A folder of assets, or null for none." });

/** What a file may be told to be; what it is, its bytes say. */
export const saidType = z.enum(["image", "video"]).meta({
  description:
    "What the file has to be; `image` takes fonts and PDFs too. Left out: whatever it is.",
});

export const assetType = z.enum(["image", "video", "font", "pdf"]).meta({
  description: "What it is by its bytes, whatever its name says.",
});

const fields = {
  id: z.string().meta({ format: "uuid" }),
  organizationId: z.string(),
  folderId: z.string().nullable(),
  name: z.string(),
  assetType,
  mimeType: z.string().meta({ example: "image/png" }),
  sizeBytes: z.number().int(),
  checksum: z.string().meta({
    description:
      "`sha256:` and 64 hex digits, of what is stored: an svg is stored without what could harm.",
  }),
  width: z.number().int().nullable().meta({ description: "Pixels." }),
  height: z.number().int().nullable(),
  details: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      "Of a font `family`, `weight`, `style`; of a video `durationSeconds`, `codec`; otherwise null.",
  }),
  url: z.string().meta({
    description: "Needs no key. What it leads to never changes.",
  }),
  urls: z.strictObject({
    original: z.string(),
    poster: z
      .string()
      .optional()
      .meta({ description: "Of a video: a still picture, as png." }),
  }),
  use: z.string().meta({
    description: "What a definition writes to use it.",
    example: "asset:0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
  }),
  isTrashed: z.boolean(),
  trashedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const asset = z
  .strictObject({ ...fields, createdById: z.string() })
  .meta({ id: "Asset" });

export const assetListItem = z
  .strictObject({ ...fields, createdBy: person })
  .meta({ id: "AssetListItem" });

const told = {
  name: name.meta({
    description: "What people call it.",
    example: "logo.png",
  }),
  assetType: saidType.optional(),
  folderId: folderId.optional(),
};

export const newAsset = z
  .strictObject({
    ...told,
    base64Data: z.string().optional().meta({
      description: "The file in base64, or a data URL of it.",
    }),
    fileUrl: z.string().max(8192).optional().meta({
      description: "An https address from which the file is fetched.",
      example: "https://www.example.com/logo.png",
    }),
    filePath: z.string().max(4096).optional().meta({
      description:
        "Is never read: the answer is an error with a link by which the file can be sent.",
    }),
  })
  .meta({ id: "NewAsset" });

export const newUploadLink = z.strictObject(told).meta({ id: "NewUploadLink" });

export const uploadLink = z
  .strictObject({
    uploadUrl: z.string().meta({
      description: "Takes the file's bytes once, by PUT, and needs no key.",
    }),
    method: z.literal("PUT"),
    expiresAt: timestamp,
    maxBytes: z.number().int(),
    curl: z.string().meta({ description: "For a shell; `FILE` is the file." }),
  })
  .meta({ id: "UploadLink" });

export const assetPatch = z
  .strictObject({ name, folderId })
  .partial()
  .meta({ id: "AssetPatch", example: { name: "logo-2026.png" } });
