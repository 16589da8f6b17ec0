import { z } from "zod";
import type { AssetListView } from "../../assets/index.js";
import { actorOf, tool, type Tool } from "../tool.js";
import {
  idInput,
  createHints,
  type ToolServices,
  defaultLimit,
  pageInput,
  pageSizeInput,
  readOnlyHints,
  paginationOutput,
  assetIdInput,
  trashHints,
} from "./shared.js";

/** An asset in an answer; further fields are those of the REST interface. */
const assetOutput = z.looseObject({
  id: z.string(),
  name: z.string(),
  assetType: z.string(),
  mimeType: z.string(),
  sizeBytes: z.number(),
  url: z.string(),
  isTrashed: z.boolean(),
});

const uploadInput = z.strictObject({
  name: z.string().meta({ description: "The asset's name in the library." }),
  fileUrl: z.string().optional().meta({
    description:
      "A public https address, from which the service gets the file.",
  }),
  base64Data: z.string().optional().meta({
    description:
      "The file itself in base64, or as a data URL. For small files.",
  }),
  filePath: z
    .string()
    .optional()
    .meta({
      description:
        "A path on the machine of a local server. A hosted server reads no path: it answers with a link and a command to " +
        "upload the file by.",
    }),
  assetType: z.enum(["image", "video"]).optional().meta({
    description:
      "What it must be; a logo, a font or a PDF is an image here. Default: what the file itself is.",
    default: "image",
  }),
});

const listInput = z.strictObject({
  assetType: z
    .enum(["image", "video", "font", "pdf"])
    .optional()
    .meta({ description: "Only these. Default: all." }),
  folderId: idInput
    .optional()
    .meta({ description: "Only those in this folder, a UUID." }),
  includeTrashed: z
    .boolean()
    .optional()
    .meta({ description: "True: those in the trash too." }),
  q: z.string().optional().meta({
    description: "Part of the name, case-insensitive.",
  }),
  page: pageInput.optional(),
  pageSize: pageSizeInput.optional(),
});

const listOutput = z.looseObject({
  data: z.array(assetOutput),
  pagination: paginationOutput,
});

/** The fields needed to choose an asset and use it; `get_asset` returns the rest. */
function toSummary(asset: AssetListView) {
  const { id, name, assetType, mimeType, sizeBytes, width, height } = asset;
  const { folderId, details, url, use, isTrashed, createdAt } = asset;
  return {
    id,
    name,
    assetType,
    mimeType,
    sizeBytes,
    width,
    height,
    folderId,
    details,
    url,
    use,
    isTrashed,
    createdAt,
  };
}

const getInput = z.strictObject({ assetId: assetIdInput });

const deleteInput = z.strictObject({ assetId: assetIdInput });

export function assetTools({ assets, assetRoot: root }: ToolServices): Tool[] {
  return [
    tool({
      name: "upload_asset",
      title: "Upload an asset",
      description:
        "Adds an image, a logo, a video or a font to the organization's library, from exactly one of fileUrl, base64Data " +
        "and filePath. The answer's `use` is what a definition writes to show it.",
      scope: "templates:write",
      input: uploadInput,
      output: assetOutput,
      annotations: { ...createHints, openWorldHint: true },
      run: async ({ caller, input: upload, signal }) => ({
        ...(await assets.upload(caller, upload, {
          actor: actorOf(caller),
          signal,
          ...(root !== null && { root }),
        })),
      }),
    }),
    tool({
      name: "list_assets",
      title: "List assets",
      description:
        "The organization's images, videos, fonts and PDFs, the newest first. What a definition writes to show one is its `use`.",
      scope: "templates:read",
      input: listInput,
      output: listOutput,
      annotations: readOnlyHints,
      async run({
        caller,
        input: { page: number, pageSize: size, ...filter },
      }) {
        const { data, pagination } = await assets.list(caller.organizationId, {
          ...filter,
          page: number ?? 1,
          pageSize: size ?? defaultLimit,
        });
        return { data: data.map(toSummary), pagination: { ...pagination } };
      },
    }),
    tool({
      name: "get_asset",
      title: "Read an asset",
      description:
        "An asset's addresses, type, size and details; one in the trash too. Its url needs no key and does not change.",
      scope: "templates:read",
      input: getInput,
      output: assetOutput,
      annotations: readOnlyHints,
      run: async ({ caller, input: { assetId: id } }) => ({
        ...(await assets.get(caller.organizationId, id)),
      }),
    }),
    tool({
      name: "delete_asset",
      title: "Move an asset to the trash",
      description:
        "Moves an asset to the trash: it is no longer listed. Templates and versions that show it still do. Doing it twice " +
        "is no error.",
      scope: "templates:write",
      input: deleteInput,
      output: assetOutput,
      annotations: trashHints,
      run: async ({ caller, input: { assetId: id } }) => ({
        ...(await assets.trash(caller, id, actorOf(caller))),
      }),
    }),
  ];
}
