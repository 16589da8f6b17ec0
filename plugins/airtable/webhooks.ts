import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import {
  type ChangeNotice,
  type ChangeSubscription,
  PlatformError,
  type PlatformChanges,
  type TableScope,
} from "../../core/plugin-api/index.js";
import {
  AirtableClient,
  type AirtableCredentials,
  type AirtableRequest,
} from "./client.js";

const webhookSchema = z.object({
  id: z.string(),
  notificationUrl: z.string().nullish(),
  /** False when it has expired, or when what it watches was deleted. */
  isHookEnabled: z.boolean(),
  /** False after too many notices could not be delivered. */
  areNotificationsEnabled: z.boolean(),
});
type Webhook = z.infer<typeof webhookSchema>;

/** Airtable leaves it out when the webhook does not expire. */
const expiry = z.object({ expirationTime: z.string().nullish() });
const createdSchema = expiry.extend({
  id: z.string(),
  macSecretBase64: z.string(),
});

/**
 * Airtable's webhooks: they end after seven days unless they are refreshed, a base has ten at most, and a notice contains
 * ids only. Their secret is revealed when they are created.
 */
export const airtableChanges: PlatformChanges<AirtableCredentials> = {
  needsPublicUrl: true,
  async subscribe(context, scope, url, current) {
    const client = new AirtableClient(context);
    const working = await deleteWebhooks(
      client,
      scope,
      url,
      ({ id, isHookEnabled, areNotificationsEnabled }) =>
        id === current && isHookEnabled && areNotificationsEnabled,
    );
    return working
      ? refresh(client, scope, working)
      : create(client, scope, url);
  },
  async unsubscribe(context, scope, url) {
    await deleteWebhooks(new AirtableClient(context), scope, url, () => false);
  },
  verify({ body, headers }: ChangeNotice, secret) {
    const key = Buffer.from(secret, "base64");
    const mac = createHmac("sha256", key).update(body).digest("hex");
    const expected = Buffer.from(`hmac-sha256=${mac}`);
    const given = Buffer.from(headers["x-airtable-content-mac"] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
};

/** Deletes the webhooks with this URL. @returns the id of the one that is kept. */
async function deleteWebhooks(
  client: AirtableClient,
  scope: TableScope,
  url: string,
  isKept: (webhook: Webhook) => boolean,
): Promise<string | undefined> {
  const { webhooks } = await client.send(
    createRequest(scope),
    z.object({ webhooks: z.array(webhookSchema) }),
  );
  const ours = webhooks.filter((webhook) => webhook.notificationUrl === url);
  const keptWebhook = ours.find(isKept);
  for (const { id } of ours)
    if (id !== keptWebhook?.id)
      try {
        await client.send(createRequest(scope, id, "DELETE"), z.unknown());
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
  return keptWebhook?.id;
}

async function refresh(
  client: AirtableClient,
  scope: TableScope,
  id: string,
): Promise<ChangeSubscription> {
  const request = createRequest(scope, `${id}/refresh`, "POST");
  const { expirationTime } = await client.send(request, expiry);
  return { id, ...(expirationTime && { expiresAt: expirationTime }) };
}

async function create(
  client: AirtableClient,
  scope: TableScope,
  notificationUrl: string,
): Promise<ChangeSubscription> {
  const { id, macSecretBase64, expirationTime } = await client.send(
    {
      ...createRequest(scope, "", "POST"),
      body: {
        notificationUrl,
        specification: {
          options: {
            filters: {
              dataTypes: ["tableData"],
              changeTypes: ["add", "update"],
              recordChangeScope: scope.tableId,
            },
          },
        },
      },
    },
    createdSchema,
  );
  return {
    id,
    secret: macSecretBase64,
    ...(expirationTime && { expiresAt: expirationTime }),
  };
}

function createRequest(
  { baseId = "" }: TableScope,
  path = "",
  method: "GET" | "POST" | "DELETE" = "GET",
): AirtableRequest {
  return {
    method,
    baseId: "bases",
    path: `/${baseId}/webhooks${path === "" ? "" : `/${path}`}`,
    needs: "webhook:manage",
  };
}

/** Whether the webhook was deleted meanwhile. */
function isMissing(error: unknown): boolean {
  return error instanceof PlatformError && error.status === 404;
}
