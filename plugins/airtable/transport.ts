import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import type Airtable from "airtable";
import type {
  PlatformContext,
  PlatformReply,
} from "../../core/plugin-api/index.js";

// The client follows redirects, looks at no address, does not end with its job, and waits for ever for a body that
// stalls; it has no setting for any of it. So the one module by which it sends is replaced before it is loaded: what it
// sends inside of `sendThrough` goes through the host.

/** One request on its way through the client. */
export interface Passage {
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
export function sendThrough<T>(
  passage: Passage,
  send: () => Promise<T>,
): Promise<T> {
  return passages.run(passage, send);
}

/** The client, which sends through the host. To be called once. */
export function loadClient(): typeof Airtable {
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
