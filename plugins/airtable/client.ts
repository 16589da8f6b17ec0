import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import type Airtable from "airtable";
import { z } from "zod";
import { PlatformError, type PlatformContext, type PlatformReply, platformErrorCode, type PlatformErrorCode } from "../../core/plugin-api/index.js";
import { type AirtableCredentials, contentOf, endpointOf } from "./plugin.js";

const Client = loadClient();

export interface AirtableRequest extends Asked {
  method?: "GET" | "POST" | "PATCH";
  /** The first part of the path: a base's id, or `meta`. */
  baseId: string;
  path: string;
  query?: Record<string, string | boolean>;
  body?: unknown;
  /** Whether it goes to the host that takes files. */
  isUpload?: boolean;
}

/** Speaks to Airtable for one call of the plugin. */
export class AirtableClient {
  private readonly api: Airtable;
  private readonly content: Airtable;

  constructor(private readonly context: PlatformContext<AirtableCredentials>) {
    const { credentials } = context;
    const open = (endpointUrl: string) =>
      new Client({
        apiKey: credentials.token,
        endpointUrl,
        // The host waits and asks again; the client would without an end.
        noRetryIfRateLimited: true,
      });
    this.api = open(endpointOf(credentials));
    this.content = open(contentOf(credentials));
  }

  /**
   * Sends one request and reads its reply.
   * @throws PlatformError that says what is wrong with it.
   */
  async send<T>(request: AirtableRequest, shape: z.ZodType<T>): Promise<T> {
    const passage: Passage = { context: this.context };
    const client = request.isUpload === true ? this.content : this.api;
    const { baseId, path, query, body, method = "GET" } = request;
    try {
      const reply = await sendThrough(passage, () =>
        client.base(baseId).makeRequest({
          method,
          path,
          ...(query && { qs: query }),
          ...(body !== undefined && { body }),
        }),
      );
      return readAs(shape, reply.body);
    } catch (error) {
      throw airtableFault(error, passage, request);
    }
  }
}

function readAs<T>(shape: z.ZodType<T>, body: unknown): T {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  throw new PlatformError(
    "unavailable",
    `It answered in a form that is not known: ${z.prettifyError(read.error)}`,
  );
}

// The client follows redirects, looks at no address, does not end with its job, and waits for ever for a body that
// stalls; it has no setting for any of it. So the one module by which it sends is replaced before it is loaded: what it
// sends inside of `sendThrough` goes through the host.

/** One request on its way through the client. */
interface Passage {
  context: Pick<PlatformContext<unknown>, "http">;
  /** What came back; the client keeps too little of it to say what is wrong. */
  reply?: PlatformReply;
  /** Why nothing came back. */
  fault?: unknown;
}

interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

type Fetch = (url: string, init: FetchInit) => Promise<unknown>;

const passages = new AsyncLocalStorage<Passage>();
const require = createRequire(import.meta.url);

/** Sends what `send` asks of the client through the passage's context. */
function sendThrough<T>(
  passage: Passage,
  send: () => Promise<T>,
): Promise<T> {
  return passages.run(passage, send);
}

/** The client, which sends through the host. To be called once. */
function loadClient(): typeof Airtable {
  const place = require.resolve("airtable/lib/fetch.js");
  const original: Fetch = require(place);
  const loaded = require.cache[place];
  if (loaded) loaded.exports = throughTheHost(original);
  const client: typeof Airtable = require("airtable");
  return client;
}

function throughTheHost(original: Fetch): Fetch {
  return async (url, init) => {
    const passage = passages.getStore();
    if (!passage) return original(url, init);
    try {
      const reply = await passage.context.http(url, init);
      passage.reply = reply;
      return asResponse(reply);
    } catch (fault) {
      passage.fault = fault;
      throw fault;
    }
  };
}

function asResponse({ status, headers, body }: PlatformReply) {
  return {
    status,
    headers,
    json: async () => JSON.parse(new TextDecoder().decode(body)) as unknown,
  };
}

/** What a request was about, for the words of its failure. */
interface Asked {
  /** The scope that the token needs for it. */
  needs: string;
  recordId?: string;
  fieldId?: string;
}

const penaltyMs = 30_000;

/** Where Airtable's own word says more than the status. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  // It answers so for what is not there, too: it does not tell whether an id exists.
  INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND: "not_found",
  MODEL_ID_NOT_FOUND: "not_found",
  TABLE_NOT_FOUND: "not_found",
  ROW_DOES_NOT_EXIST: "not_found",
  RECORD_NOT_FOUND: "not_found",
  LIST_RECORDS_ITERATOR_NOT_AVAILABLE: "unavailable",
  REQUEST_BODY_TOO_LARGE: "too_large",
};

/** What went wrong with a request, from what came back. */
function airtableFault(
  error: unknown,
  { reply, fault }: Passage,
  asked: Asked,
): unknown {
  if (error instanceof PlatformError) return error;
  if (fault !== undefined) return fault;
  if (!reply) return error;
  return refusal(reply, asked, error);
}

function refusal(
  reply: PlatformReply,
  asked: Asked,
  cause: unknown,
): PlatformError {
  const { status } = reply;
  const told = toldBy(reply);
  const code = codeOf(status, told.type);
  const wait = Number(reply.headers["retry-after"]) * 1000;
  const { recordId, fieldId } = asked;
  return new PlatformError(code, wordsOf(code, told, asked, status), {
    cause,
    status,
    ...(code === "rate_limited" && {
      retryAfterMs: Number.isNaN(wait) ? penaltyMs : wait,
    }),
    ...(recordId !== undefined && { recordId }),
    ...(fieldId !== undefined && { fieldId }),
  });
}

/** A 2xx comes here only when it was no JSON: a proxy or a login page answered. */
function codeOf(status: number, type: string): PlatformErrorCode {
  if (status < 300) return "unavailable";
  return codes[type] ?? platformErrorCode(status);
}

interface Told {
  type: string;
  message: string;
}

/** `{ error: { type, message } }`, or `{ error: "NOT_FOUND" }`, or `{ errors: [{ error, message }] }`, or no JSON. */
function toldBy({ body }: PlatformReply): Told {
  const { error, errors } = parseJson(body);
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const said = error ?? first;
  if (typeof said === "string") return { type: said, message: "" };
  const told = new Map(Object.entries(Object(said)));
  return {
    type: toShortText(told.get("type") ?? told.get("error")),
    message: toShortText(told.get("message")),
  };
}

function parseJson(body: Uint8Array): { error?: unknown; errors?: unknown } {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return {};
  }
}

function toShortText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 300) : "";
}

function wordsOf(
  code: PlatformErrorCode,
  told: Told,
  { needs, recordId }: Asked,
  status: number,
): string {
  const said = told.message === "" ? "" : ` It says: ${told.message}`;
  switch (code) {
    case "auth":
      return "the token is not accepted. Make a new one at airtable.com/create/tokens and save it in the connection.";
    case "forbidden":
      return `the token may not do this. Give it the scope ${needs} and access to the base.${said}`;
    case "not_found":
      return recordId !== undefined && told.type !== accessOrId
        ? `there is no record ${recordId} in this table.`
        : `it shows no such base, table or record to this token. The id is wrong, or the token lacks the scope ${needs} or access to the base.`;
    case "rate_limited":
      return "it takes no more requests for 30 seconds.";
    case "too_large":
      return "the file is too large for it.";
    case "unavailable":
      return status < 300
        ? `it answered ${status} with something that is no JSON, as login pages and proxies do.`
        : `it answered ${status}. Try again later.`;
    default:
      return `it refused the request (${status}${told.type === "" ? "" : ` ${told.type}`}).${said}`;
  }
}

const accessOrId = "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND";
