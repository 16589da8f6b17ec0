import { z } from "zod";
import { actorOf } from "../call/actor-of.js";
import { tool, type Tool } from "../tool.js";
import { ADDS } from "./arguments.js";
import { assetOutput } from "./asset-output.js";
import type { ToolServices } from "./services.js";

const input = z.strictObject({
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

export function uploadAsset({
  assets,
  assetRoot: root,
}: Pick<ToolServices, "assets" | "assetRoot">): Tool {
  return tool({
    name: "upload_asset",
    title: "Upload an asset",
    description:
      "Adds an image, a logo, a video or a font to the organization's library, from exactly one of fileUrl, base64Data " +
      "and filePath. The answer's `use` is what a definition writes to show it.",
    scope: "templates:write",
    input,
    output: assetOutput,
    annotations: { ...ADDS, openWorldHint: true },
    run: async ({ caller, input: upload, signal }) => ({
      ...(await assets.upload(caller, upload, {
        actor: actorOf(caller),
        signal,
        ...(root !== null && { root }),
      })),
    }),
  });
}
