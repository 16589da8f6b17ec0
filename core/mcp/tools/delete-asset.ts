import { z } from "zod";
import { actorOf } from "../call/actor-of.js";
import { tool, type Tool } from "../tool.js";
import { assetId, TRASHES } from "./arguments.js";
import { assetOutput } from "./asset-output.js";
import type { ToolServices } from "./services.js";

const input = z.strictObject({ assetId });

export function deleteAsset({ assets }: Pick<ToolServices, "assets">): Tool {
  return tool({
    name: "delete_asset",
    title: "Move an asset to the trash",
    description:
      "Moves an asset to the trash: it is no longer listed. Templates and versions that show it still do. Doing it twice " +
      "is no error.",
    scope: "templates:write",
    input,
    output: assetOutput,
    annotations: TRASHES,
    run: async ({ caller, input: { assetId: id } }) => ({
      ...(await assets.trash(caller, id, actorOf(caller))),
    }),
  });
}
