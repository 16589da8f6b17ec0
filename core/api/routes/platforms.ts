import { z } from "zod";
import { PlatenError } from "../../plugin-api/index.js";
import type {
  PlatformHost,
  PlatformStatus,
} from "../../integrations/host/index.js";
import { installedReply } from "../installed-reply.js";
import { operation, type Operation } from "../operation.js";
import { platform } from "../schemas/platform.js";

const params = z.strictObject({
  platformId: z.string().meta({ example: "airtable" }),
});
const tag = "Connections";

/** The platforms that connections can be made to. */
export function platformOperations(platforms: PlatformHost): Operation[] {
  return [list(platforms), read(platforms)];
}

function list(platforms: PlatformHost): Operation {
  return operation({
    id: "listPlatforms",
    method: "get",
    path: "/api/platforms",
    scope: "connections:read",
    tag,
    summary: "List installed platforms",
    description: "Those that ship first; broken ones with the reason.",
    reply: {
      description: "All of them.",
      schema: z.strictObject({ data: z.array(platform) }),
    },
    handle: async () => ({ data: (await platforms.list()).map(replyOf) }),
  });
}

function read(platforms: PlatformHost): Operation {
  return operation({
    id: "getPlatform",
    method: "get",
    path: "/api/platforms/:platformId",
    scope: "connections:read",
    tag,
    summary: "Read an installed platform",
    description: "What it can do, and which credentials it takes.",
    params,
    reply: { description: "The platform.", schema: platform },
    errors: [404],
    handle: async ({ params: { platformId } }) => {
      const status = await platforms.status(platformId);
      if (status !== null) return replyOf(status);
      throw new PlatenError("not_found", "There is no such platform.");
    },
  });
}

function replyOf(status: PlatformStatus): z.input<typeof platform> {
  const { capabilities } = status;
  return {
    ...installedReply(status),
    capabilities: capabilities && {
      ...capabilities,
      modes: [...capabilities.modes],
    },
  };
}
