import { z } from "zod";
import type { Connections } from "../../integrations/connections/index.js";
import { actorOf } from "../actor-of.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import {
  base,
  connection,
  connectionKind,
  connectionPatch,
  connectionTest,
  newConnection,
  table,
} from "../schemas/connection.js";
import { pageOf, pageQuery } from "../schemas/query.js";

const params = z.strictObject({
  connectionId: z.string().meta({ description: "UUID of the connection." }),
});
const tag = "Connections";
const one = "/api/connections/:connectionId";

/** Saved access to platforms and e-signature providers. */
export function connectionOperations(connections: Connections): Operation[] {
  return [
    list(connections),
    create(connections),
    read(connections),
    change(connections),
    remove(connections),
    test(connections),
    bases(connections),
    tables(connections),
  ];
}

function list(connections: Connections): Operation {
  return operation({
    id: "listConnections",
    method: "get",
    path: "/api/connections",
    scope: "connections:read",
    tag,
    summary: "List connections",
    description: "The newest first; never their secrets.",
    query: z.strictObject({
      ...pageQuery,
      kind: connectionKind.optional().meta({
        description: "Only those to platforms, or to e-signature providers.",
      }),
    }),
    reply: {
      description: "A page of connections.",
      schema: z.strictObject({ data: z.array(connection), pagination }),
    },
    handle: ({ caller, query }) =>
      connections.list(caller.organizationId, pageOf(query), query.kind),
  });
}

function create(connections: Connections): Operation {
  return operation({
    id: "createConnection",
    method: "post",
    path: "/api/connections",
    scope: "connections:write",
    tag,
    summary: "Save a connection",
    description:
      "To a platform, or to an e-signature provider. Its credentials are checked by the schema of that and kept encrypted. Nothing is called yet: test it next.",
    body: newConnection,
    reply: { status: 201, description: "The connection.", schema: connection },
    errors: [413, 503],
    handle: ({ caller, body }) =>
      connections.create(caller, body, actorOf(caller)),
  });
}

function read(connections: Connections): Operation {
  return operation({
    id: "getConnection",
    method: "get",
    path: one,
    scope: "connections:read",
    tag,
    summary: "Read a connection",
    description: "Whether it works, and why not; never its secrets.",
    params,
    reply: { description: "The connection.", schema: connection },
    errors: [404],
    handle: ({ caller, params: { connectionId } }) =>
      connections.get(caller.organizationId, connectionId),
  });
}

function change(connections: Connections): Operation {
  return operation({
    id: "updateConnection",
    method: "patch",
    path: one,
    scope: "connections:write",
    tag,
    summary: "Change a connection",
    description:
      "What is left out stays. New credentials are given whole, and make it untested.",
    params,
    body: connectionPatch,
    reply: { description: "The connection.", schema: connection },
    errors: [404, 413, 503],
    handle: ({ caller, params: { connectionId: id }, body }) =>
      connections.change(caller.organizationId, id, body, actorOf(caller)),
  });
}

function remove(connections: Connections): Operation {
  return operation({
    id: "deleteConnection",
    method: "delete",
    path: one,
    scope: "connections:write",
    tag,
    summary: "Delete a connection",
    description: "With its credentials. What still needs it fails and says so.",
    params,
    reply: { description: "The connection, as it was.", schema: connection },
    errors: [404],
    handle: ({ caller, params: { connectionId } }) =>
      connections.remove(caller.organizationId, connectionId, actorOf(caller)),
  });
}

function test(connections: Connections): Operation {
  return operation({
    id: "testConnection",
    method: "post",
    path: `${one}/test`,
    scope: "connections:write",
    tag,
    summary: "Test a connection",
    description:
      "Asks the platform or provider. The answer is 200 whether it works or not: see `connection.state` and `lastError`.",
    params,
    reply: { description: "What it said.", schema: connectionTest },
    errors: [404, 503],
    handle: ({ caller, params: { connectionId } }) =>
      connections.test(caller.organizationId, connectionId),
  });
}

function bases(connections: Connections): Operation {
  return operation({
    id: "listConnectionBases",
    method: "get",
    path: `${one}/bases`,
    scope: "connections:read",
    tag,
    summary: "List the bases that a connection reaches",
    description: "Empty for platforms that have none.",
    params,
    reply: {
      description: "All of them.",
      schema: z.strictObject({ data: z.array(base) }),
    },
    errors: [404, 429, 503],
    handle: async ({ caller, params: { connectionId: id } }) => ({
      data: (await connections.bases(caller.organizationId, id)) ?? [],
    }),
  });
}

function tables(connections: Connections): Operation {
  return operation({
    id: "listConnectionTables",
    method: "get",
    path: `${one}/tables`,
    scope: "connections:read",
    tag,
    summary: "List the tables that a connection reaches",
    description: "With their fields.",
    params,
    query: z.strictObject({
      baseId: z.string().optional().meta({
        description: "Of this base, where the platform has bases.",
      }),
    }),
    reply: {
      description: "All of them.",
      schema: z.strictObject({ data: z.array(table) }),
    },
    errors: [404, 429, 503],
    handle: async ({ caller, params: { connectionId: id }, query }) => ({
      data: await connections.tables(caller.organizationId, id, query.baseId),
    }),
  });
}
