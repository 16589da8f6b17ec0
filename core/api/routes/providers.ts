import { z } from "zod";
import { PlatenError } from "../../plugin-api/index.js";
import type { EsignHost, EsignStatus } from "../../integrations/host/index.js";
import { installedReply } from "../installed-reply.js";
import { operation, type Operation } from "../operation.js";
import { provider } from "../schemas/provider.js";

const params = z.strictObject({
  providerId: z.string().meta({ example: "docuseal" }),
});
const tag = "Connections";

/** The e-signature providers that connections can be made to. */
export function providerOperations(providers: EsignHost): Operation[] {
  return [list(providers), read(providers)];
}

function list(providers: EsignHost): Operation {
  return operation({
    id: "listEsignProviders",
    method: "get",
    path: "/api/esign-providers",
    scope: "connections:read",
    tag,
    summary: "List installed e-signature providers",
    description: "Those that ship first; broken ones with the reason.",
    reply: {
      description: "All of them.",
      schema: z.strictObject({ data: z.array(provider) }),
    },
    handle: async () => ({ data: (await providers.list()).map(replyOf) }),
  });
}

function read(providers: EsignHost): Operation {
  return operation({
    id: "getEsignProvider",
    method: "get",
    path: "/api/esign-providers/:providerId",
    scope: "connections:read",
    tag,
    summary: "Read an installed e-signature provider",
    description: "What it can do, and which credentials it takes.",
    params,
    reply: { description: "The provider.", schema: provider },
    errors: [404],
    handle: async ({ params: { providerId } }) => {
      const status = await providers.status(providerId);
      if (status !== null) return replyOf(status);
      throw new PlatenError(
        "not_found",
        "There is no such e-signature provider.",
      );
    },
  });
}

function replyOf(status: EsignStatus): z.input<typeof provider> {
  const { capabilities } = status;
  return {
    ...installedReply(status),
    capabilities: capabilities && {
      ...capabilities,
      fields: [...capabilities.fields],
    },
  };
}
