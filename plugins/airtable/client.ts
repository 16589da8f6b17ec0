import type Airtable from "airtable";
import { z } from "zod";
import {
  PlatformError,
  type PlatformContext,
} from "../../core/plugin-api/index.js";
import {
  type AirtableCredentials,
  contentOf,
  endpointOf,
} from "./credentials.js";
import { airtableFault, type Asked } from "./fault.js";
import { loadClient, type Passage, sendThrough } from "./transport.js";

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
