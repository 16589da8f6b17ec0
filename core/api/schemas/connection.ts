import { z } from "zod";
import { FIELD_KINDS } from "../../plugin-api/index.js";
import { timestamp } from "./common.js";

const name = z.string().max(255).meta({
  description: "What people call it.",
  example: "Orders base",
});

const secrets = z.record(z.string(), z.unknown());

const newCredentials = secrets.meta({
  description:
    "What the `credentials` schema of the platform or provider asks for. Secrets in it are kept encrypted and never told again.",
  example: { token: "…" },
  override: { writeOnly: true },
});

export const connectionKind = z.enum(["platform", "esign"]);

export const connection = z
  .strictObject({
    id: z.string(),
    organizationId: z.string(),
    kind: connectionKind.meta({
      description: "Whether it leads to a platform or an e-signature provider.",
    }),
    platform: z.string().nullable().meta({
      description: "The platform's id; null when it leads to none.",
      example: "airtable",
    }),
    provider: z.string().nullable().meta({
      description: "The e-signature provider's id; null when it leads to none.",
      example: null,
    }),
    name,
    credentials: secrets.meta({ description: "What is no secret of them." }),
    state: z.enum(["untested", "working", "failing"]).meta({
      description: "What the last test of these credentials told.",
    }),
    lastError: z.string().nullable(),
    lastCheckedAt: timestamp.nullable(),
    problem: z.string().nullable().meta({
      description:
        "Why it cannot be used now, such as a plugin that is gone; null when it can.",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Connection" });

export const newConnection = z.strictObject({
  platform: z.string().optional().meta({
    description:
      "The id of an installed platform. Either this or `provider` is needed.",
    example: "airtable",
  }),
  provider: z.string().optional().meta({
    description:
      "The id of an installed e-signature provider, such as `docuseal`.",
  }),
  name,
  credentials: newCredentials,
});

export const connectionPatch = z.strictObject({
  name: name.optional(),
  credentials: newCredentials.optional().meta({
    description:
      "All of them: a part would let a new address have the old secrets.",
  }),
});

export const connectionTest = z
  .strictObject({
    connection,
    account: z.string().nullable().meta({
      description: "As whom the other side knows us, where it tells.",
    }),
    warnings: z.array(z.string()).meta({
      description: "What will not work, such as a missing permission.",
    }),
  })
  .meta({ id: "ConnectionTest" });

export const base = z.strictObject({ id: z.string(), name: z.string() });

const field = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  native: z.string().meta({ description: "The platform's word for it." }),
  writable: z.boolean(),
  link: z
    .strictObject({ tableId: z.string(), many: z.boolean() })
    .exactOptional()
    .meta({ description: "Of a link: where it leads." }),
});

export const table = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    primaryFieldId: z.string().exactOptional(),
    fields: z.array(field),
  })
  .meta({ id: "PlatformTable" });
