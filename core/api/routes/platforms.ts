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

const defineOperation = createDefinition("Connections");

const ABOUT = "Its capabilities and the credentials it requires.";

interface InstalledKind<Status> {
  /** In the ids of the operations. */
  name: string;
  noun: string;
  path: Operation["path"];
  param: string;
  example: string;
  schema: z.ZodType;
  /** Describes the reply that has one of them. */
  reply: string;
  about: string;
  host: {
    list(): Promise<Status[]>;
    status(id: string): Promise<Status | null>;
  };
  toReply: (status: Status) => unknown;
}

/** The operations that list the installed plugins of a kind, and read one. */
function installedOperations<Status>(kind: InstalledKind<Status>): Operation[] {
  const { name, noun, path, param, example, schema, host, toReply } = kind;
  return [
    defineOperation({
      id: `list${name}s`,
      get: path,
      scope: "connections:read",
      summary: `List installed ${noun}s`,
      description: "Built-in ones first. Broken ones include the reason.",
      reply: {
        description: "All of them.",
        schema: z.strictObject({ data: z.array(schema) }),
      },
      handle: async () => ({
        data: await Promise.all((await host.list()).map(toReply)),
      }),
    }),
    defineOperation({
      id: `get${name}`,
      get: `${path}/:${param}`,
      scope: "connections:read",
      summary: `Read an installed ${noun}`,
      description: kind.about,
      params: z.strictObject({ [param]: z.string().meta({ example }) }),
      reply: { description: kind.reply, schema },
      handle: async ({ params }) => {
        const status = await host.status(params[param] ?? "");
        if (status !== null) return toReply(status);
        throw new PlatenError("not_found", `There is no such ${noun}.`);
      },
    }),
  ];
}

export function platformOperations(host: PlatformHost): Operation[] {
  return installedOperations({
    name: "Platform",
    noun: "platform",
    path: "/api/platforms",
    param: "platformId",
    example: "airtable",
    about: ABOUT,
    schema: platformSchema,
    reply: "The platform.",
    host,
    toReply: toPlatformReply,
  });
}

function toPlatformReply(
  status: PlatformStatus,
): z.input<typeof platformSchema> {
  const { capabilities } = status;
  return { ...toInstalledReply(status), capabilities };
}

export function providerOperations(host: EsignHost): Operation[] {
  return installedOperations({
    name: "EsignProvider",
    noun: "e-signature provider",
    path: "/api/esign-providers",
    param: "providerId",
    example: "docuseal",
    about: ABOUT,
    schema: providerSchema,
    reply: "The provider.",
    host,
    toReply: toProviderReply,
  });
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

export function deliveryMethodOperations(host: DeliveryHost): Operation[] {
  const toReply = async (
    status: DeliveryStatus,
  ): Promise<z.input<typeof deliveryMethodSchema>> => ({
    ...toInstalledReply(status),
    capabilities: status.capabilities,
    target: { ...(await host.findTargetSchema(status.id)) },
  });
  return installedOperations({
    name: "DeliveryMethod",
    noun: "delivery method",
    path: "/api/delivery-methods",
    param: "methodId",
    example: "email",
    schema: deliveryMethodSchema,
    reply: "The delivery method.",
    about:
      "Its capabilities, the credentials it requires, and where it delivers to.",
    host,
    toReply,
  });
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
