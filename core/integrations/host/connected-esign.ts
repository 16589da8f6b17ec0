import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import {
  type EsignContext,
  type EsignProvider,
  type Notice,
  type PageVisit,
  PlatformError,
  type RawNotice,
  type RequestState,
  type ShownPage,
  type SignedFile,
  type SignRequest,
  type StartedRequest,
} from "../../plugin-api/index.js";
import {
  type CallLimits,
  PluginCalls,
  type PluginCallsParts,
} from "./plugin-calls.js";
import { createRefusal } from "./plugin-errors.js";
import {
  checkResult,
  ignored,
  notice,
  requestState,
  shownPage,
  signedFiles,
  startedRequest,
} from "./result-schemas.js";
import { fitRequest } from "./sign-request.js";

const checkMs = 10_000;
const readMs = 30_000;
const workMs = 120_000;

/** What Platen offers a provider without a server of its own, for one connection. */
export interface EsignWorkspace {
  /** Created on first use. */
  folder(): Promise<string>;
  pageAddress(path: string): string;
}

export class EsignWorkspaces {
  constructor(
    private readonly options: {
      /** Contains a folder for each connection that uses one. */
      folder: string;
      /** The public address of the service. */
      baseUrl: () => string;
    },
  ) {}

  get(connectionId: string): EsignWorkspace {
    const { folder, baseUrl } = this.options;
    return {
      folder: async () => {
        const own = join(folder, connectionId);
        await mkdir(own, { recursive: true, mode: 0o700 });
        return own;
      },
      pageAddress: (path) =>
        `${baseUrl().replace(/\/$/, "")}/esign/${connectionId}/${path}`,
    };
  }
}

interface EsignAccess {
  credentials: unknown;
  place: EsignWorkspace;
}

/** Connects any provider, installed or not, and calls it as the host calls installed ones. */
export function connectEsign(
  provider: EsignProvider,
  access: EsignAccess,
  parts: PluginCallsParts,
): OpenEsign {
  return new OpenEsign(provider, access, new PluginCalls(parts));
}

/**
 * An e-signature provider with a connection's credentials. Calls are rate limited, have a timeout, are repeated where
 * that is safe, and their results are validated. All reject with PlatenError, whose `cause` is the PlatformError when
 * the provider refused: `platformErrorOf` finds it.
 */
export class OpenEsign {
  constructor(
    private readonly provider: EsignProvider,
    private readonly access: EsignAccess,
    private readonly calls: PluginCalls,
  ) {}

  get id(): string {
    return this.provider.meta.id;
  }

  get title(): string {
    return this.provider.meta.title;
  }

  get capabilities(): EsignProvider["capabilities"] {
    return this.provider.capabilities;
  }

  check(limits: CallLimits = {}) {
    return this.call(
      "check",
      { timeoutMs: checkMs, ...limits },
      checkResult,
      (context) => this.provider.check(context),
    );
  }

  /** Tries once. After a failure that `isAmbiguous`, only `find` can tell whether the request exists. */
  async start(
    request: SignRequest,
    limits: CallLimits = {},
  ): Promise<StartedRequest> {
    const { fitted, warnings } = fitRequest(this.provider, request);
    const started = await this.callOnce(
      "start",
      { timeoutMs: workMs, ...limits },
      startedRequest,
      (context) => this.provider.start(context, fitted),
    );
    return {
      ...started,
      warnings: [...warnings, ...(started.warnings ?? [])],
    };
  }

  /** The request that an earlier `start` created; null when it created none. */
  find(
    requestId: string,
    limits: CallLimits = {},
  ): Promise<StartedRequest | null> {
    return this.call(
      "find",
      { timeoutMs: readMs, ...limits },
      startedRequest.nullable(),
      (context) => this.provider.find(context, requestId),
    );
  }

  /** The cause of its error is `not_found` once the provider has deleted the request. */
  status(externalId: string, limits: CallLimits = {}): Promise<RequestState> {
    return this.call(
      "status",
      { timeoutMs: readMs, ...limits },
      requestState,
      (context) => this.provider.status(context, externalId),
    );
  }

  /** The files of a completed request; exactly one is labeled `signed`. */
  download(externalId: string, limits: CallLimits = {}): Promise<SignedFile[]> {
    return this.call(
      "download",
      { timeoutMs: workMs, ...limits },
      signedFiles,
      (context) => this.provider.download(context, externalId),
    );
  }

  /** @throws PlatenError `invalid_request` when the provider cannot cancel requests. */
  async cancel(externalId: string, limits: CallLimits = {}): Promise<void> {
    if (!this.capabilities.cancel)
      throw this.unsupported("a request cannot be canceled from here.");
    await this.call(
      "cancel",
      { timeoutMs: readMs, ...limits },
      ignored,
      async (context) => this.provider.cancel?.(context, externalId),
    );
  }

  /** Tries once, because it sends mail. @throws PlatenError `invalid_request` when the provider cannot send reminders. */
  async resend(externalId: string, limits: CallLimits = {}): Promise<void> {
    if (!this.capabilities.resend)
      throw this.unsupported("signers cannot be reminded from here.");
    await this.callOnce(
      "resend",
      { timeoutMs: readMs, ...limits },
      ignored,
      async (context) => this.provider.resend?.(context, externalId),
    );
  }

  /** Null for a notice that is forged, too old or not about a request. Sends nothing and never throws. */
  parseNotice(raw: RawNotice): Notice | null {
    const { provider, access } = this;
    try {
      const parsed = provider.parseNotice(access.credentials, raw);
      return notice.nullable().safeParse(parsed).data ?? null;
    } catch {
      // A notice that makes the plugin throw is not one that it understands.
      return null;
    }
  }

  /** @returns null when the provider has no pages here. */
  async page(
    visit: PageVisit,
    limits: CallLimits = {},
  ): Promise<ShownPage | null> {
    if (!this.provider.page) return null;
    return this.callOnce(
      "page",
      { timeoutMs: readMs, ...limits },
      shownPage,
      async (context) => this.provider.page?.(context, visit),
    );
  }

  private callOnce<T>(
    method: string,
    limits: CallLimits & { timeoutMs: number },
    schema: z.ZodType<T>,
    work: (context: EsignContext<unknown>) => Promise<unknown>,
  ): Promise<T> {
    return this.call(method, limits, schema, work, false);
  }

  private call<T>(
    method: string,
    limits: CallLimits & { timeoutMs: number },
    schema: z.ZodType<T>,
    work: (context: EsignContext<unknown>) => Promise<unknown>,
    isRepeatable = true,
  ): Promise<T> {
    const { provider: plugin, access } = this;
    const { credentials, place } = access;
    const target = { plugin, credentials, scope: {}, method, isRepeatable };
    return this.calls.call(target, limits, schema, (context) =>
      work({ ...context, ...place }),
    );
  }

  private unsupported(message: string) {
    return createRefusal(this.title, new PlatformError("unsupported", message));
  }
}
