import { z } from "zod";
import { timestamp } from "./common.js";

const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(255, "must be at most 255 characters long");

const parentId = z.string().nullable().meta({
  description: "The folder of the same kind in which it stands; null: none.",
});

export const folderKind = z
  .enum(["template", "asset"])
  .meta({ description: "What lies in it." });

export const folder = z
  .strictObject({
    id: z.string().meta({ format: "uuid" }),
    organizationId: z.string(),
    parentId,
    kind: folderKind,
    name: z.string(),
    createdById: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Folder" });

export const newFolder = z
  .strictObject({ name, kind: folderKind, parentId: parentId.optional() })
  .meta({ id: "NewFolder", example: { name: "Logos", kind: "asset" } });

export const folderPatch = z
  .strictObject({ name, parentId })
  .partial()
  .meta({ id: "FolderPatch", example: { name: "Old logos" } });
