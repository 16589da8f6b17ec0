import { z } from "zod";
import type {
  DeliveryHost,
  DeliveryStatus,
  PlatformHost,
  PlatformStatus,
  EsignHost,
  EsignStatus,
} from "../../integrations/host/index.js";
import { SIGN_FIELD_TYPES, PlatenError } from "../../plugin-api/index.js";
import { createDefinition, type Operation } from "../operation.js";

const modesSchema = z.array(z.enum(["append", "replace"])).readonly();

const platformCapabilitiesSchema = z.strictObject({
  links: z.boolean(),
  attachments: z.enum(["native", "link-cell", "none"]).meta({
    description: "Whether a field accepts files, links to files, or neither.",
  }),
  modes: modesSchema,
  maxFileBytes: z.number(),
  maxIdsPerFetch: z.number(),
  keepsFilename: z.boolean(),
  readBack: z.boolean(),
  needsPublicUrl: z.boolean().optional(),
  files: z.boolean().optional().meta({
    description:
      "True: it reads files that come with the request, and has no connections.",
  }),
  writeMany: z
    .object({
      maxRecords: z.number().int(),
      modes: modesSchema.optional(),
      minRecords: z.number().int().optional(),
      needsPublicUrl: z.boolean().optional(),
    })
    .optional(),
});

/** The fields that installed platforms and providers share. */
function installedSchema(example: string) {
  return z.strictObject({
    id: z.string().meta({ example }),
    title: z.string(),
    version: z.string().nullable(),
    isShipped: z.boolean().meta({
      description: "False for plugins that were installed separately.",
    }),
    state: z.enum(["ready", "broken"]),
    reason: z.string().nullable().meta({
      description: "Why it is broken and how to fix it.",
    }),
    credentials: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "A JSON Schema (2020-12) of a connection's credentials; secrets are `writeOnly`.",
    }),
  });
}

export const platformSchema = installedSchema("airtable")
  .extend({
    id: z.string().meta({
      description: "Also the last segment of /api/export/batch/:platform.",
      example: "airtable",
    }),
    capabilities: platformCapabilitiesSchema
      .nullable()
      .meta({ description: "Null if it is broken." }),
  })
  .meta({ id: "Platform" });

const providerCapabilitiesSchema = z.strictObject({
  order: z.boolean().meta({
    description: "Whether signers can sign in sequence.",
  }),
  values: z.boolean().meta({
    description: "Whether fields can be prefilled.",
  }),
  expiry: z.enum(["instant", "days", "none"]).meta({
    description: "`days`: an expiry is rounded up to whole days.",
  }),
  message: z.boolean(),
  redirect: z.boolean().optional().meta({
    description: "Whether signers return to an address after signing.",
  }),
  cancel: z.boolean(),
  resend: z.boolean(),
  noticeProof: z.enum(["hmac", "secret", "none"]).meta({
    description: "How its notices are authenticated.",
  }),
  fields: z.array(z.enum(SIGN_FIELD_TYPES)).meta({
    description: "Supported field types; others become `text`.",
  }),
  maxFileBytes: z.number(),
});

export const providerSchema = installedSchema("docuseal")
  .extend({
    capabilities: providerCapabilitiesSchema
      .nullable()
      .meta({ description: "Null if it is broken." }),
  })
  .meta({ id: "EsignProvider" });

const platformParams = z.strictObject({
  platformId: z.string().meta({ example: "airtable" }),
});
const defineOperation = createDefinition("Connections");

export function platformOperations(platforms: PlatformHost): Operation[] {
  return [
    defineOperation({
      id: "listPlatforms",
      method: "get",
      path: "/api/platforms",
      scope: "connections:read",
      summary: "List installed platforms",
      description: "Built-in ones first. Broken ones include the reason.",
      reply: {
        description: "All of them.",
        schema: z.strictObject({ data: z.array(platformSchema) }),
      },
      handle: async () => ({
        data: (await platforms.list()).map(toPlatformReply),
      }),
    }),
    defineOperation({
      id: "getPlatform",
      method: "get",
      path: "/api/platforms/:platformId",
      scope: "connections:read",
      summary: "Read an installed platform",
      description: "Its capabilities and the credentials it requires.",
      params: platformParams,
      reply: { description: "The platform.", schema: platformSchema },
      errors: [404],
      handle: async ({ params: { platformId } }) => {
        const status = await platforms.status(platformId);
        if (status !== null) return toPlatformReply(status);
        throw new PlatenError("not_found", "There is no such platform.");
      },
    }),
  ];
}

function toPlatformReply(
  status: PlatformStatus,
): z.input<typeof platformSchema> {
  const { capabilities } = status;
  return { ...toInstalledReply(status), capabilities };
}

const providerParams = z.strictObject({
  providerId: z.string().meta({ example: "docuseal" }),
});

export function providerOperations(providers: EsignHost): Operation[] {
  return [
    defineOperation({
      id: "listEsignProviders",
      method: "get",
      path: "/api/esign-providers",
      scope: "connections:read",
      summary: "List installed e-signature providers",
      description: "Built-in ones first. Broken ones include the reason.",
      reply: {
        description: "All of them.",
        schema: z.strictObject({ data: z.array(providerSchema) }),
      },
      handle: async () => ({
        data: (await providers.list()).map(toProviderReply),
      }),
    }),
    defineOperation({
      id: "getEsignProvider",
      method: "get",
      path: "/api/esign-providers/:providerId",
      scope: "connections:read",
      summary: "Read an installed e-signature provider",
      description: "Its capabilities and the credentials it requires.",
      params: providerParams,
      reply: { description: "The provider.", schema: providerSchema },
      errors: [404],
      handle: async ({ params: { providerId } }) => {
        const status = await providers.status(providerId);
        if (status !== null) return toProviderReply(status);
        throw new PlatenError(
          "not_found",
          "There is no such e-signature provider.",
        );
      },
    }),
  ];
}

function toProviderReply(status: EsignStatus): z.input<typeof providerSchema> {
  const { capabilities } = status;
  return {
    ...toInstalledReply(status),
    capabilities: capabilities && {
      ...capabilities,
      fields: [...capabilities.fields],
    },
  };
}

const deliveryMethodSchema = installedSchema("email")
  .extend({
    capabilities: z
      .strictObject({
        maxBytes: z.number(),
        repeatable: z.boolean().meta({
          description:
            "Whether a delivery may be repeated without harm. Otherwise one whose answer is lost ends as `unknown`.",
        }),
        message: z.boolean().meta({
          description:
            "Whether `deliver` has `subject`, `body`, `template` and `files`.",
        }),
      })
      .nullable()
      .meta({ description: "Null if it is broken." }),
    target: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "A JSON Schema (2020-12) of its own fields in an entry of `deliver`.",
    }),
  })
  .meta({ id: "DeliveryMethod" });

const methodParams = z.strictObject({
  methodId: z.string().meta({ example: "email" }),
});

export function deliveryMethodOperations(methods: DeliveryHost): Operation[] {
  const toReply = async (status: DeliveryStatus) => ({
    ...toInstalledReply(status),
    capabilities: status.capabilities,
    target: { ...(await methods.findTargetSchema(status.id)) },
  });
  return [
    defineOperation({
      id: "listDeliveryMethods",
      method: "get",
      path: "/api/delivery-methods",
      scope: "connections:read",
      summary: "List installed delivery methods",
      description: "Built-in ones first. Broken ones include the reason.",
      reply: {
        description: "All of them.",
        schema: z.strictObject({ data: z.array(deliveryMethodSchema) }),
      },
      handle: async () => ({
        data: await Promise.all((await methods.list()).map(toReply)),
      }),
    }),
    defineOperation({
      id: "getDeliveryMethod",
      method: "get",
      path: "/api/delivery-methods/:methodId",
      scope: "connections:read",
      summary: "Read an installed delivery method",
      description:
        "Its capabilities, the credentials it requires, and where it delivers to.",
      params: methodParams,
      reply: {
        description: "The delivery method.",
        schema: deliveryMethodSchema,
      },
      errors: [404],
      handle: async ({ params: { methodId } }) => {
        const status = await methods.status(methodId);
        if (status !== null) return toReply(status);
        throw new PlatenError("not_found", "There is no such delivery method.");
      },
    }),
  ];
}

/** The shared fields of a response. The plugin's path on the machine is not exposed. */
function toInstalledReply(
  status: PlatformStatus | EsignStatus | DeliveryStatus,
) {
  const { id, title, version, source, state, reason, credentials } = status;
  return {
    id,
    title,
    version,
    isShipped: source === "shipped",
    state,
    reason,
    credentials: credentials && { ...credentials },
  };
}
