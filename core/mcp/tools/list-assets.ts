import { z } from "zod";
import type { AssetListView } from "../../assets/index.js";
import { tool, type Tool } from "../tool.js";
import { DEFAULT_LIMIT, page, pageSize, READS } from "./arguments.js";
import { assetOutput } from "./asset-output.js";
import type { ToolServices } from "./services.js";
import { paginationOutput } from "./template-output.js";

const input = z.strictObject({
  assetType: z
    .enum(["image", "video", "font", "pdf"])
    .optional()
    .meta({ description: "Only these. Default: all." }),
  folderId: z
    .string()
    .optional()
    .meta({ description: "Only those in this folder, a UUID." }),
  includeTrashed: z
    .boolean()
    .optional()
    .meta({ description: "True: those in the trash too." }),
  q: z.string().optional().meta({
    description: "A part of the name, in upper or lower case.",
  }),
  page: page.optional(),
  pageSize: pageSize.optional(),
});

const output = z.looseObject({
  data: z.array(assetOutput),
  pagination: paginationOutput,
});

export function listAssets({ assets }: Pick<ToolServices, "assets">): Tool {
  return tool({
    name: "list_assets",
    title: "List assets",
    description:
      "The organization's images, videos, fonts and PDFs, the newest first. What a definition writes to show one is its `use`.",
    scope: "templates:read",
    input,
    output,
    annotations: READS,
    async run({ caller, input: { page: number, pageSize: size, ...filter } }) {
      const { data, pagination } = await assets.list(caller.organizationId, {
        ...filter,
        page: number ?? 1,
        pageSize: size ?? DEFAULT_LIMIT,
      });
      return { data: data.map(summary), pagination: { ...pagination } };
    },
  });
}

/** What it takes to choose one and to use it; `get_asset` tells the rest. */
function summary(asset: AssetListView) {
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
