import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type EsignCapabilities,
  type EsignContext,
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
import { provide } from "../../lib/injection.js";
import { BASE_URL, CONFIG } from "../../lib/process-values.js";
import { ConnectedPlugin } from "./connected-plugin.js";
import type { CallLimits, PluginCalls } from "./plugin-calls.js";
import { createRefusal, findPlatformError } from "./platform-errors.js";
import type { CallableEsign } from "./plugin-contract.js";
import { esignMethods, type PluginMethod } from "./plugin-methods.js";

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
        const workspaceFolder = join(folder, connectionId);
        await mkdir(workspaceFolder, { recursive: true, mode: 0o700 });
        return workspaceFolder;
      },
      pageAddress: (path) =>
        `${baseUrl().replace(/\/$/, "")}/esign/${connectionId}/${path}`,
    };
  }
}

provide(
  EsignWorkspaces,
  (c) =>
    new EsignWorkspaces({
      folder: join(c.resolve(CONFIG).dataFolder, "esign"),
      baseUrl: () => c.resolve(BASE_URL),
    }),
);

export class ConnectedEsign extends ConnectedPlugin<"esign"> {
  constructor(
    provider: CallableEsign,
    credentials: unknown,
    calls: PluginCalls,
    private readonly place: EsignWorkspace,
  ) {
    super(provider, credentials, calls);
  }

  check(limits: CallLimits = {}) {
    return this.#call(esignMethods.check, limits, (context) =>
      this.plugin.check(context),
    );
  }

  /** Tries once. After a failure that `isAmbiguous`, only `find` can tell whether the request exists. */
  async start(
    request: SignRequest,
    limits: CallLimits = {},
  ): Promise<StartedRequest> {
    const { fitted, warnings } = fitRequest(this.plugin, request);
    const started = await this.#call(esignMethods.start, limits, (context) =>
      this.plugin.start(context, fitted),
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
    return this.#call(esignMethods.find, limits, (context) =>
      this.plugin.find(context, requestId),
    );
  }

  /** The cause of its error is `not_found` once the provider has deleted the request. */
  status(externalId: string, limits: CallLimits = {}): Promise<RequestState> {
    return this.#call(esignMethods.status, limits, (context) =>
      this.plugin.status(context, externalId),
    );
  }

  /** The files of a completed request; exactly one is labeled `signed`. */
  download(externalId: string, limits: CallLimits = {}): Promise<SignedFile[]> {
    return this.#call(esignMethods.download, limits, (context) =>
      this.plugin.download(context, externalId),
    );
  }

  /** @throws PlatenError `invalid_request` when the provider cannot cancel requests. */
  async cancel(externalId: string, limits: CallLimits = {}): Promise<void> {
    if (!this.capabilities.cancel)
      throw this.unsupported("a request cannot be canceled from here.");
    await this.#call(esignMethods.cancel, limits, async (context) =>
      this.plugin.cancel?.(context, externalId),
    );
  }

  /** Tries once, because it sends mail. @throws PlatenError `invalid_request` when the provider cannot send reminders. */
  async resend(externalId: string, limits: CallLimits = {}): Promise<void> {
    if (!this.capabilities.resend)
      throw this.unsupported("signers cannot be reminded from here.");
    await this.#call(esignMethods.resend, limits, async (context) =>
      this.plugin.resend?.(context, externalId),
    );
  }

  /**
   * Null for a notice that is forged, too old or not about a request. Sends nothing.
   * @throws PlatenError `unavailable` when the plugin cannot be called now: the provider sends the notice again.
   */
  async parseNotice(raw: RawNotice): Promise<Notice | null> {
    const { plugin, credentials } = this;
    try {
      const parsed = await plugin.parseNotice(credentials, raw);
      return esignMethods.parseNotice.result.safeParse(parsed).data ?? null;
    } catch (error) {
      const refusal = findPlatformError(error);
      if (refusal?.code === "unavailable")
        throw createRefusal(this.title, refusal);
      // A notice that makes the plugin throw is not one that it understands.
      return null;
    }
  }

  /** @returns null when the provider has no pages here. */
  async page(
    visit: PageVisit,
    limits: CallLimits = {},
  ): Promise<ShownPage | null> {
    if (!this.plugin.page) return null;
    return this.#call(esignMethods.page, limits, async (context) =>
      this.plugin.page?.(context, visit),
    );
  }

  #call<T>(
    method: PluginMethod<T>,
    limits: CallLimits,
    work: (context: EsignContext<unknown>) => Promise<unknown>,
  ): Promise<T> {
    return this.call(method, {}, limits, (context) =>
      work({ ...context, ...this.place }),
    );
  }

  private unsupported(message: string) {
    return createRefusal(this.title, new PlatformError("unsupported", message));
  }
}

/**
 * Adapts a request to what a provider can do. @returns the request for the provider, and a warning for users about each
 * thing that it drops. @throws PlatenError `too_large` for a file that the provider is known to refuse.
 */
function fitRequest(
  { meta: { title }, capabilities }: CallableEsign,
  request: SignRequest,
): { fitted: SignRequest; warnings: string[] } {
  const { length } = request.pdf.bytes;
  const { maxFileBytes } = capabilities;
  if (length > maxFileBytes)
    throw createRefusal(
      title,
      new PlatformError(
        "too_large",
        `the PDF has ${length} bytes; the maximum is ${maxFileBytes}. Use smaller images or fewer pages.`,
      ),
    );
  const fitted = replaceFieldTypes(
    removeUnsupported(request, capabilities),
    capabilities,
  );
  return {
    fitted: escapeTexts(fitted),
    warnings: listLosses(request, capabilities).map(
      (loss) => `${title} ${loss}`,
    ),
  };
}

function replaceFieldTypes(
  request: SignRequest,
  { fields: types }: EsignCapabilities,
): SignRequest {
  const fields = request.fields.map((field) =>
    types.includes(field.type) ? field : { ...field, type: "text" as const },
  );
  return { ...request, fields };
}

function removeUnsupported(
  { expiresAt, message, redirectUrl, submitters, ...rest }: SignRequest,
  { expiry, message: takesMessage, redirect, order, values }: EsignCapabilities,
): SignRequest {
  return {
    ...rest,
    ...(redirectUrl !== undefined && redirect && { redirectUrl }),
    ...(expiresAt && expiry !== "none" && { expiresAt }),
    ...(message && takesMessage && { message }),
    submitters: submitters.map(({ values: filled, ...submitter }) => ({
      ...submitter,
      order: order ? submitter.order : 0,
      ...(filled && values && { values: pickKnown(rest, submitter, filled) }),
    })),
  };
}

function pickKnown(
  { fields }: Pick<SignRequest, "fields">,
  { role }: { role: string },
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = new Set(
    fields.filter((field) => field.role === role).map(({ name }) => name),
  );
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => names.has(name)),
  );
}

function listLosses(
  request: SignRequest,
  capabilities: EsignCapabilities,
): string[] {
  const { fields, submitters, expiresAt, message, redirectUrl } = request;
  const types = new Set(fields.map(({ type }) => type));
  const unsupported = [...types].filter(
    (type) => !capabilities.fields.includes(type),
  );
  const hasValues = submitters.some(({ values }) => values !== undefined);
  const isOrdered = submitters.some(({ order }) => order > 0);
  return [
    ...unsupported.map(
      (type) => `has no ${type} fields: they become text fields.`,
    ),
    ...(isOrdered && !capabilities.order
      ? ["asks all signers at the same time, in no order."]
      : []),
    ...(hasValues && !capabilities.values
      ? ["does not support values that are filled in beforehand."]
      : []),
    ...(expiresAt && capabilities.expiry === "none"
      ? ["does not support an expiration date."]
      : []),
    ...(message && !capabilities.message
      ? ["does not support a custom message."]
      : []),
    ...(redirectUrl !== undefined && !capabilities.redirect
      ? ["does not lead signers to another page after they have signed."]
      : []),
    ...(capabilities.values ? listUnknownValues(request) : []),
  ];
}

function listUnknownValues(request: SignRequest): string[] {
  return request.submitters.flatMap(({ role, values = {} }) => {
    const knownValues = pickKnown(request, { role }, values);
    return Object.keys(values)
      .filter((name) => !(name in knownValues))
      .map(
        (name) =>
          `did not get the value of "${escapeTags(name)}": the role ${role} has no such field.`,
      );
  });
}

/** Texts come from data, and no provider may find a field tag in them. */
function escapeTexts(request: SignRequest): SignRequest {
  const { title, pdf, fields, submitters, message } = request;
  return {
    ...request,
    title: toOneLine(title),
    pdf: { ...pdf, name: escapeTags(pdf.name) },
    fields: fields.map((field) => ({
      ...field,
      name: escapeTags(field.name),
      ...(field.options && { options: field.options.map(escapeTags) }),
    })),
    submitters: submitters.map(({ name, values, ...submitter }) => ({
      ...submitter,
      ...(name !== undefined && { name: toOneLine(name) }),
      ...(values && { values: Object(escapeTagsWithin(values)) }),
    })),
    ...(message && {
      message: {
        ...(message.subject !== undefined && {
          subject: toOneLine(message.subject),
        }),
        ...(message.body !== undefined && { body: escapeTags(message.body) }),
      },
    }),
  };
}

/** Without line breaks, because it becomes a mail header. */
function toOneLine(text: string): string {
  return escapeTags(text.replaceAll(/\s*\p{Cc}\s*/gu, " ").trim());
}

/** A visible space, as in documents, because PDF readers drop characters without a width. */
const gap = "\u00a0";
const ignorable = "[\\p{Default_Ignorable_Code_Point}\\s]*";
const opening = new RegExp(`\\{(?=${ignorable}\\{)`, "gu");
const closing = new RegExp(`\\}(?=${ignorable}\\})`, "gu");

/** Separates double braces, so that no provider finds a field tag in the text. */
function escapeTags(text: string): string {
  return text.replaceAll(opening, `{${gap}`).replaceAll(closing, `}${gap}`);
}

/** Escapes every text in a value, and its keys. */
function escapeTagsWithin(value: unknown): unknown {
  if (typeof value === "string") return escapeTags(value);
  if (Array.isArray(value)) return value.map(escapeTagsWithin);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      escapeTags(key),
      escapeTagsWithin(item),
    ]),
  );
}
