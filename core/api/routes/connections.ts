import { z } from "zod";
import {
  connectionSchema,
  type ConnectionService,
  connectionTestSchema,
} from "../../integrations/connections/index.js";
import { FIELD_KINDS, NUMBER_FORMATS } from "../../plugin-api/index.js";
import { getActor } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import { pageSchema, pageOf, pageQuery } from "../schemas.js";
import { idInput } from "../../lib/schemas.js";

const newCredentialsSchema = z.record(z.string(), z.unknown()).meta({
  description:
    "The credentials that the plugin's `credentials` schema requires. Secrets are encrypted and never returned.",
  example: { token: "…" },
  override: { writeOnly: true },
});

const newConnectionSchema = z.strictObject({
  platform: z.string().optional().meta({
    description:
      "The id of an installed platform. Exactly one of this, `provider` and `delivery` is required.",
    example: "airtable",
  }),
  provider: z.string().optional().meta({
    description:
      "The id of an installed e-signature provider, such as `docuseal`.",
  }),
  delivery: z.string().optional().meta({
    description: "The id of an installed delivery method, such as `email`.",
  }),
  name: connectionSchema.shape.name,
  credentials: newCredentialsSchema,
});

const connectionPatchSchema = z.strictObject({
  name: connectionSchema.shape.name.optional(),
  credentials: newCredentialsSchema.optional().meta({
    description:
      "The complete credentials; a partial update could send old secrets to a new address.",
  }),
});

const baseSchema = z.strictObject({ id: z.string(), name: z.string() });

const fieldSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  native: z
    .string()
    .meta({ description: "The platform's name for this type." }),
  writable: z.boolean(),
  format: z.enum(NUMBER_FORMATS).exactOptional().meta({
    description:
      "How the platform shows the numbers: as money, or as percentages that are fractions (0.19) or not (19).",
  }),
  currency: z
    .string()
    .exactOptional()
    .meta({ description: "Of money: the ISO 4217 code." }),
  link: z
    .strictObject({ tableId: z.string(), many: z.boolean() })
    .exactOptional()
    .meta({ description: "For a link field: its target." }),
});

const tableSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    primaryFieldId: z.string().exactOptional(),
    fields: z.array(fieldSchema),
  })
  .meta({ id: "PlatformTable" });

const connectionParams = z.strictObject({
  connectionId: idInput.meta({ description: "UUID of the connection." }),
});
const defineOperation = createDefinition("Connections");
const onePath = "/api/connections/:connectionId";

export function connectionOperations(
  connections: ConnectionService,
): Operation[] {
  return [
    defineOperation({
      id: "listConnections",
      get: "/api/connections",
      scope: "connections:read",
      summary: "List connections",
      description: "Newest first, without secrets.",
      query: z.strictObject({
        ...pageQuery,
        kind: connectionSchema.shape.kind.optional().meta({
          description: "Only connections of this kind.",
        }),
      }),
      reply: {
        description: "A page of connections.",
        schema: pageSchema(connectionSchema),
      },
      handle: ({ caller, query }) =>
        connections.list(caller.organizationId, pageOf(query), query.kind),
    }),
    defineOperation({
      id: "createConnection",
      post: "/api/connections",
      scope: "connections:write",
      summary: "Save a connection",
      description:
        "To a platform, an e-signature provider or a delivery method. Its credentials are checked by the schema of that and kept encrypted. Nothing is called yet: test it next.",
      body: newConnectionSchema,
      reply: {
        status: 201,
        description: "The connection.",
        schema: connectionSchema,
      },
      idempotent: true,
      handle: ({ caller, body, keepAnswer }) =>
        connections.create(caller, body, getActor(caller), keepAnswer),
    }),
    defineOperation({
      id: "getConnection",
      get: onePath,
      scope: "connections:read",
      summary: "Read a connection",
      description: "Whether it works, and why not; never its secrets.",
      params: connectionParams,
      reply: { description: "The connection.", schema: connectionSchema },
      handle: ({ caller, params: { connectionId } }) =>
        connections.get(caller.organizationId, connectionId),
    }),
    defineOperation({
      id: "updateConnection",
      patch: onePath,
      scope: "connections:write",
      summary: "Change a connection",
      description:
        "What is left out stays. New credentials are given whole, and make it untested.",
      params: connectionParams,
      body: connectionPatchSchema,
      reply: { description: "The connection.", schema: connectionSchema },
      handle: ({ caller, params: { connectionId: id }, body }) =>
        connections.change(caller.organizationId, id, body, getActor(caller)),
    }),
    defineOperation({
      id: "deleteConnection",
      delete: onePath,
      scope: "connections:write",
      summary: "Delete a connection",
      description:
        "With its credentials. What still needs it fails and says so.",
      params: connectionParams,
      reply: {
        description: "The connection, as it was.",
        schema: connectionSchema,
      },
      handle: ({ caller, params: { connectionId } }) =>
        connections.remove(
          caller.organizationId,
          connectionId,
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "testConnection",
      post: `${onePath}/test`,
      scope: "connections:write",
      summary: "Test a connection",
      description:
        "Asks the platform or provider. The answer is 200 whether it works or not: see `connection.state` and `lastError`.",
      params: connectionParams,
      reply: { description: "What it said.", schema: connectionTestSchema },
      handle: ({ caller, params: { connectionId } }) =>
        connections.test(caller.organizationId, connectionId),
    }),
    defineOperation({
      id: "listConnectionBases",
      get: `${onePath}/bases`,
      scope: "connections:read",
      summary: "List the bases that a connection reaches",
      description: "Empty for platforms that have none.",
      params: connectionParams,
      reply: {
        description: "All of them.",
        schema: z.strictObject({ data: z.array(baseSchema) }),
      },
      handle: async ({ caller, params: { connectionId: id } }) => ({
        data: (await connections.listBases(caller.organizationId, id)) ?? [],
      }),
    }),
    defineOperation({
      id: "listConnectionTables",
      get: `${onePath}/tables`,
      scope: "connections:read",
      summary: "List the tables that a connection reaches",
      description: "With their fields.",
      params: connectionParams,
      query: z.strictObject({
        baseId: z.string().optional().meta({
          description: "Of this base, where the platform has bases.",
        }),
      }),
      reply: {
        description: "All of them.",
        schema: z.strictObject({ data: z.array(tableSchema) }),
      },
      handle: async ({ caller, params: { connectionId: id }, query }) => ({
        data: await connections.listTables(
          caller.organizationId,
          id,
          query.baseId,
        ),
      }),
    }),
  ];
}
