import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import type Airtable from "airtable";
import { z } from "zod";
import {
  type PlatformContext,
  PlatformError,
  getPlatformErrorCode,
  type PlatformErrorCode,
  type PlatformReply,
  type SettingsSchema,
} from "../../core/plugin-api/index.js";
import { getRetryAfterMs, parseJson } from "../lib/http-api.js";
import { translations } from "./translations.js";

export interface AirtableCredentials {
  token: string;
  endpointUrl?: string;
  contentUrl?: string;
}

const address = { type: "string", format: "uri", pattern: "^https?://" };

export const credentialsSchema: SettingsSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  required: ["token"],
  properties: {
    token: {
      type: "string",
      minLength: 1,
      writeOnly: true,
      title: "Personal access token",
      description:
        "Create it at airtable.com/create/tokens with the scopes data.records:read, data.records:write and " +
        "schema.bases:read (and webhook:manage, if automations are to start as soon as a record changes), and with access to the bases that hold your records.",
    },
    endpointUrl: {
      ...address,
      title: "API address",
      description: "Default: https://api.airtable.com",
    },
    contentUrl: {
      ...address,
      title: "Upload address",
      description: "Default: https://content.airtable.com",
    },
  },
  translations,
};

export function getEndpointUrl({
  endpointUrl = "https://api.airtable.com",
}: AirtableCredentials): string {
  return endpointUrl.replace(/\/+$/, "");
}

function getContentUrl({
  contentUrl = "https://content.airtable.com",
}: AirtableCredentials): string {
  return contentUrl.replace(/\/+$/, "");
}

export interface AirtableRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** The first part of the path: the id of a base, `meta` or `bases`. */
  baseId: string;
  path: string;
  query?: Record<string, string | boolean>;
  body?: unknown;
  /** Whether it goes to the host that accepts files. */
  isUpload?: boolean;
  /** The scope that the token needs for it. */
  needs: string;
  recordId?: string;
  fieldId?: string;
}

export class AirtableClient {
  private readonly api: Airtable;
  private readonly content: Airtable;

  constructor(private readonly context: PlatformContext<AirtableCredentials>) {
    const { credentials } = context;
    const createClient = (endpointUrl: string) =>
      new Client({
        apiKey: credentials.token,
        endpointUrl,
        // The host retries; the client would retry without end.
        noRetryIfRateLimited: true,
      });
    this.api = createClient(getEndpointUrl(credentials));
    this.content = createClient(getContentUrl(credentials));
  }

  get signal(): AbortSignal {
    return this.context.signal;
  }

  /** Sends a request and validates the reply. @throws PlatformError. */
  async send<T>(request: AirtableRequest, schema: z.ZodType<T>): Promise<T> {
    const exchange: Exchange = { context: this.context };
    const client = request.isUpload === true ? this.content : this.api;
    const { baseId, path, query, body, method = "GET" } = request;
    try {
      const reply = await exchanges.run(exchange, () =>
        client.base(baseId).makeRequest({
          method,
          path,
          ...(query && { qs: query }),
          ...(body !== undefined && { body }),
        }),
      );
      const { success, data, error } = schema.safeParse(reply.body);
      if (success) return data;
      const [issue] = error.issues;
      const place = ["$", ...(issue?.path ?? [])].join(".");
      throw new PlatformError(
        "unavailable",
        `Airtable sent an unexpected response at ${place}: ${issue?.message ?? "invalid"}.`,
      );
    } catch (error) {
      throw toPlatformError(error, exchange, request);
    }
  }
}

// Airtable's client follows redirects, checks no addresses, ignores the job's signal and waits without end for a body
// that stalls, and has no setting for any of it. So the one module by which it sends is replaced before it is loaded:
// what it sends in an exchange goes through the host.

/** One request on its way through the client. */
interface Exchange {
  context: Pick<PlatformContext<unknown>, "http">;
  /** The reply; the client keeps too little of it to describe a failure. */
  reply?: PlatformReply;
  /** Why there is no reply. */
  error?: unknown;
}

interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

type Fetch = (url: string, init: FetchInit) => Promise<unknown>;

const exchanges = new AsyncLocalStorage<Exchange>();
const Client = loadClient();

function loadClient(): typeof Airtable {
  const require = createRequire(import.meta.url);
  const fetchPath = require.resolve("airtable/lib/fetch.js");
  const originalFetch: Fetch = require(fetchPath);
  const loaded = require.cache[fetchPath];
  if (loaded) loaded.exports = createHostFetch(originalFetch);
  const client: typeof Airtable = require("airtable");
  return client;
}

function createHostFetch(originalFetch: Fetch): Fetch {
  return async (url, init) => {
    const exchange = exchanges.getStore();
    if (!exchange) return originalFetch(url, init);
    try {
      const reply = await exchange.context.http(url, init);
      exchange.reply = reply;
      const { status, headers, body } = reply;
      return {
        status,
        headers,
        json: async () => parseBody(body),
      };
    } catch (error) {
      exchange.error = error;
      throw error;
    }
  };
}

/** Something that was deleted is answered without a body. @throws SyntaxError. */
function parseBody(body: Uint8Array): unknown {
  return body.length === 0 ? {} : JSON.parse(new TextDecoder().decode(body));
}

const rateLimitPenaltyMs = 30_000;
/** Sent with a 429 when the calls of the month, which a plan includes, are used up. */
export const quotaError = "PUBLIC_API_BILLING_LIMIT_EXCEEDED";
/** Airtable also answers so for a missing record: it does not reveal whether an id exists. */
const forbiddenOrMissing = "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND";

const viewNotFound = "VIEW_NAME_NOT_FOUND";

/** Error types that are more specific than the status. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  [forbiddenOrMissing]: "not_found",
  [quotaError]: "quota_exceeded",
  MODEL_ID_NOT_FOUND: "not_found",
  TABLE_NOT_FOUND: "not_found",
  ROW_DOES_NOT_EXIST: "not_found",
  RECORD_NOT_FOUND: "not_found",
  [viewNotFound]: "not_found",
  LIST_RECORDS_ITERATOR_NOT_AVAILABLE: "unavailable",
  REQUEST_BODY_TOO_LARGE: "too_large",
};

function toPlatformError(
  cause: unknown,
  { reply, error }: Exchange,
  request: AirtableRequest,
): unknown {
  if (cause instanceof PlatformError) return cause;
  if (error !== undefined) return error;
  if (!reply) return cause;
  const { status, body } = reply;
  const details = parseErrorBody(body);
  // A 2xx is an error only when it is not JSON: a proxy or a login page answered.
  const code =
    status < 300
      ? "unavailable"
      : (codes[details.type] ?? getPlatformErrorCode(status));
  const { recordId, fieldId } = request;
  return new PlatformError(code, describe(code, details, request, status), {
    cause,
    status,
    ...(code === "rate_limited" && {
      retryAfterMs: getRetryAfterMs(reply) ?? rateLimitPenaltyMs,
    }),
    ...(recordId !== undefined && { recordId }),
    ...(fieldId !== undefined && { fieldId }),
  });
}

interface ErrorDetails {
  type: string;
  message: string;
}

const text = z.string().transform((value) => value.slice(0, 300));
const errorObject = z.object({
  type: text.optional().catch(undefined),
  error: text.optional().catch(undefined),
  message: text.catch(""),
});

/** Reads `{ error: { type, message } }`, `{ error: "NOT_FOUND" }` and `{ errors: [{ error, message }] }`. */
function parseErrorBody(body: Uint8Array): ErrorDetails {
  const { error, errors }: { error?: unknown; errors?: unknown } = Object(
    parseJson(body),
  );
  const detail =
    error ?? (Array.isArray(errors) ? (errors[0] as unknown) : null);
  if (typeof detail === "string") return { type: detail, message: "" };
  const { data } = errorObject.safeParse(detail);
  return {
    type: data?.type ?? data?.error ?? "",
    message: data?.message ?? "",
  };
}

function describe(
  code: PlatformErrorCode,
  { type, message }: ErrorDetails,
  { needs, recordId }: AirtableRequest,
  status: number,
): string {
  const details = message === "" ? "" : ` Airtable says: ${message}`;
  switch (code) {
    case "auth":
      return "The token is not valid. Create a new one at airtable.com/create/tokens and save it in the connection.";
    case "forbidden":
      return `The token lacks a permission for this. Give it the scope ${needs} and access to the base.${details}`;
    case "not_found":
      if (type === viewNotFound)
        return "The table has no such view, or no longer has it.";
      return recordId !== undefined && type !== forbiddenOrMissing
        ? `The table has no record ${recordId}.`
        : `The token sees no such base, table or record. Either the id is wrong, or the token lacks the scope ${needs} or access to the base.`;
    case "rate_limited":
      return "Airtable accepts no more requests for 30 seconds.";
    case "quota_exceeded":
      return "The workspace has used up the API calls of its plan for this month. Upgrade the plan, or try again when the month is over.";
    case "too_large":
      return "The file is too large for Airtable.";
    case "unavailable":
      return status < 300
        ? `Airtable's address answered ${status} with something that is not JSON, such as a login page or a proxy's page.`
        : `Airtable answered with status ${status}. Try again later.`;
    default:
      return `Airtable refused the request (${status}${type === "" ? "" : ` ${type}`}).${details}`;
  }
}
