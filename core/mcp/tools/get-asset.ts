import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import { assetId, READS } from "./arguments.js";
import { assetOutput } from "./asset-output.js";
import type { ToolServices } from "./services.js";

const input = z.strictObject({ assetId });

export function getAsset({ assets }: Pick<ToolServices, "assets">): Tool {
  return tool({
    name: "get_asset",
    title: "Read an asset",
    description:
      "An asset's addresses, type, size and details; one in the trash too. Its url needs no key and does not change.",
    scope: "templates:read",
    input,
    output: assetOutput,
    annotations: READS,
    run: async ({ caller, input: { assetId: id } }) => ({
      ...(await assets.get(caller.organizationId, id)),
    }),
  });
}
