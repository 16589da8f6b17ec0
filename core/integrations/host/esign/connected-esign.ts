import type { z } from "zod";
import {
  type EsignContext,
  type EsignProvider,
  PlatformError,
  type PageVisit,
  type RawNotice,
  type SignRequest,
} from "../../../plugin-api/index.js";
import type { CallLimits } from "../call-limits.js";
import { PluginCalls, type PluginCallsParts } from "../call/plugin-calls.js";
import { checkResult } from "../call/result-shapes.js";
import { refusedBy } from "../platform-fault.js";
import type { ConnectionPlace } from "./esign-places.js";
import {
  foundRequest,
  notice,
  nothing,
  requestState,
  shownPage,
  signedFiles,
  startedRequest,
} from "./esign-results.js";
import { fitRequest } from "./fit-request.js";
import type { OpenEsign } from "./open-esign.js";

const checkMs = 10_000;
const lookMs = 30_000;
const workMs = 120_000;

interface Access {
  credentials: unknown;
  place: ConnectionPlace;
}

type Work = (context: EsignContext<unknown>) => Promise<unknown>;

/** A provider of one's own choice with credentials, called as the host calls those that are installed. */
export function connectEsign(
  provider: EsignProvider,
  access: Access,
  parts: PluginCallsParts,
): OpenEsign {
  return new ConnectedEsign(provider, access, new PluginCalls(parts));
}

/** A provider with the credentials of a connection. */
export class ConnectedEsign implements OpenEsign {
  constructor(
    private readonly provider: EsignProvider,
    private readonly access: Access,
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
    return this.ask(
      "check",
      { timeoutMs: checkMs, ...limits },
      checkResult,
      (context) => this.provider.check(context),
    );
  }

  async start(request: SignRequest, limits: CallLimits = {}) {
    const { fitted, warnings } = fitRequest(this.provider, request);
    const started = await this.once(
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

  find(requestId: string, limits: CallLimits = {}) {
    return this.ask(
      "find",
      { timeoutMs: lookMs, ...limits },
      foundRequest,
      (context) => this.provider.find(context, requestId),
    );
  }

  status(externalId: string, limits: CallLimits = {}) {
    return this.ask(
      "status",
      { timeoutMs: lookMs, ...limits },
      requestState,
      (context) => this.provider.status(context, externalId),
    );
  }

  download(externalId: string, limits: CallLimits = {}) {
    return this.ask(
      "download",
      { timeoutMs: workMs, ...limits },
      signedFiles,
      (context) => this.provider.download(context, externalId),
    );
  }

  async cancel(externalId: string, limits: CallLimits = {}): Promise<void> {
    const { capabilities } = this.provider;
    if (!capabilities.cancel)
      throw this.cannot("a request cannot be canceled from here.");
    await this.ask(
      "cancel",
      { timeoutMs: lookMs, ...limits },
      nothing,
      async (context) => this.provider.cancel?.(context, externalId),
    );
  }

  async resend(externalId: string, limits: CallLimits = {}): Promise<void> {
    const { capabilities } = this.provider;
    if (!capabilities.resend)
      throw this.cannot("signers cannot be reminded from here.");
    await this.once(
      "resend",
      { timeoutMs: lookMs, ...limits },
      nothing,
      async (context) => this.provider.resend?.(context, externalId),
    );
  }

  parseNotice(raw: RawNotice) {
    const { provider, access } = this;
    try {
      const parsed = provider.parseNotice(access.credentials, raw);
      return notice.nullable().safeParse(parsed).data ?? null;
    } catch {
      // Whatever makes a plugin stumble is no notice that it understands.
      return null;
    }
  }

  async page(visit: PageVisit, limits: CallLimits = {}) {
    if (!this.provider.page) return null;
    return this.once(
      "page",
      { timeoutMs: lookMs, ...limits },
      shownPage,
      async (context) => this.provider.page?.(context, visit),
    );
  }

  /** A call that may be made again. */
  private ask<T>(
    what: string,
    limits: CallLimits & { timeoutMs: number },
    shape: z.ZodType<T>,
    work: Work,
  ): Promise<T> {
    return this.call(what, true, limits, shape, work);
  }

  private once<T>(
    what: string,
    limits: CallLimits & { timeoutMs: number },
    shape: z.ZodType<T>,
    work: Work,
  ): Promise<T> {
    return this.call(what, false, limits, shape, work);
  }

  private call<T>(
    what: string,
    isRepeatable: boolean,
    limits: CallLimits & { timeoutMs: number },
    shape: z.ZodType<T>,
    work: Work,
  ): Promise<T> {
    const { provider: plugin, access } = this;
    const { credentials, place } = access;
    const target = { plugin, credentials, scope: {}, what, isRepeatable };
    return this.calls.call(target, limits, shape, (context) =>
      work({ ...context, ...place }),
    );
  }

  private cannot(message: string) {
    return refusedBy(this.title, new PlatformError("unsupported", message));
  }
}
