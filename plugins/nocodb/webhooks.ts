import * as z from "zod";
import {
  PlatformError,
  type PlatformChanges,
} from "../../core/plugin-api/index.js";
import { parseJson, readReply } from "../lib/http-api.js";
import { type ServerCredentials, toUrl } from "../lib/rest-server.js";
import {
  isCloud,
  type NocodbContext,
  replyErrors,
  sendRequest,
} from "./client.js";

const hooksSchema = z.object({
  list: z.array(
    z.object({
      id: z.string(),
      active: z.union([z.boolean(), z.number()]).nullish(),
      /** An object, or its JSON. */
      notification: z.unknown(),
    }),
  ),
});

/** NocoDB's webhooks, which never expire, are not signed, and need a token whose user is a creator of the base. */
export const nocodbChanges: PlatformChanges<ServerCredentials> = {
  async subscribe(context, { tableId }, url, current) {
    if (isCloud(context.credentials.url) && !url.startsWith("https:"))
      throw new PlatformError(
        "bad_config",
        "NocoDB Cloud calls https addresses only. Set PLATEN_BASE_URL to the https address of this service.",
      );
    const hooks = await listHooks(context, tableId, url);
    const working = hooks.find((hook) => hook.id === current && hook.active);
    for (const { id } of hooks)
      if (id !== working?.id) await deleteHook(context, id);
    if (working) return { id: working.id };
    const { id } = await sendRequest(
      context,
      `api/v2/meta/tables/${encodeURIComponent(tableId)}/hooks`,
      z.object({ id: z.string() }),
      { method: "POST", json: describeHook(url) },
    );
    return { id };
  },
  async unsubscribe(context, { tableId }, url) {
    for (const { id } of await listHooks(context, tableId, url))
      await deleteHook(context, id);
  },
};

async function listHooks(context: NocodbContext, tableId: string, url: string) {
  const { list } = await sendRequest(
    context,
    `api/v2/meta/tables/${encodeURIComponent(tableId)}/hooks`,
    hooksSchema,
  );
  return list.filter(({ notification }) =>
    JSON.stringify(notification ?? null).includes(url),
  );
}

/** NocoDB answers `true` as text. */
async function deleteHook(context: NocodbContext, id: string): Promise<void> {
  const path = `api/v2/meta/hooks/${encodeURIComponent(id)}`;
  const { status, body } = await context.http(toUrl(context, path), {
    method: "DELETE",
    headers: { "xc-token": context.credentials.token },
  });
  readReply({ status, body: parseJson(body) }, z.unknown(), replyErrors);
}

/** Sends nothing of the records, since they are read anyway. */
function describeHook(url: string) {
  return {
    title: `Platen ${url.slice(-8)}`,
    event: "after",
    operation: ["insert", "update"],
    version: "v3",
    active: true,
    condition: false,
    notification: {
      type: "URL",
      payload: {
        method: "POST",
        path: url,
        headers: [
          { enabled: true, name: "content-type", value: "application/json" },
        ],
        parameters: [],
        auth: "",
        body: "{}",
      },
    },
  };
}
