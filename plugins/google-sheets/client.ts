import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { drive, type drive_v3 } from "@googleapis/drive";
import { auth, sheets, type sheets_v4 } from "@googleapis/sheets";
import type { LRUCache } from "lru-cache";
import { z } from "zod";
import {
  type AuthorizationCode,
  type AuthorizationRequest,
  type PlatformContext,
  PlatformError,
  getPlatformErrorCode,
  type PlatformErrorCode,
  type PlatformReply,
  type SettingsSchema,
} from "../../core/plugin-api/index.js";
import { getRetryAfterMs, parseJson } from "../lib/http-api.js";
import { translations } from "./translations.js";

/** What a request is about, for its error message. */
interface RequestSubject {
  /** Such as `the sheet "Orders"`. */
  what: string;
  recordId?: string;
  fieldId?: string;
}

/** Sends the requests of one call of the plugin, one after the other. */
export class GoogleClient {
  readonly sheets: sheets_v4.Sheets;
  readonly drive: drive_v3.Drive;
  /** The email address of the service account; null for a user. */
  readonly account: string | null;
  private readonly auth: OAuth2Client;
  private readonly hostFetch: HostFetch;

  constructor(
    readonly context: PlatformContext<GoogleCredentials>,
    tokens: AccessTokens,
  ) {
    const { credentials } = context;
    this.hostFetch = new HostFetch(context);
    this.account = parseServiceAccount(credentials)?.client_email ?? null;
    this.auth = createAuth(credentials, tokens, this.hostFetch.fetch);
    // Only the host retries.
    const options = { auth: this.auth, retry: false };
    this.sheets = sheets({ version: "v4", ...options });
    this.drive = drive({ version: "v3", ...options });
  }

  /** Sends one request through `sheets` or `drive` and returns its data. @throws PlatformError. */
  async send<T>(
    subject: RequestSubject,
    request: () => Promise<{ data: T }>,
  ): Promise<T> {
    return (await this.withErrors(subject, request)).data;
  }

  /** Sends a request for which the clients have no method. @throws PlatformError. */
  sendRaw(
    subject: RequestSubject,
    url: string,
    init: {
      method: "POST" | "PUT";
      headers: Record<string, string>;
      data: string | Uint8Array;
    },
  ): Promise<{ data: unknown; headers: Headers }> {
    return this.withErrors(subject, () =>
      this.auth.request<unknown>({ url, retry: false, ...init }),
    );
  }

  /** What the refresh token does not allow, as far as Google said so with the last access token. */
  listMissingRights(): string[] {
    const granted = this.grantedScopes;
    if (granted === null) return [];
    return writeRights
      .filter(({ scope, others }) =>
        [scope, ...others].every((one) => !granted.includes(one)),
      )
      .map(({ act, scope }) => `${act}: ${describeMissingScopes([scope])}`);
  }

  /** Null when Google did not say, as for a service account: its tokens have the scopes that it asks for. */
  private get grantedScopes(): readonly string[] | null {
    return this.auth.credentials.scope?.split(" ") ?? null;
  }

  /** The page on which a user consents to all that the plugin does. */
  createAuthorizationUrl({
    redirectUri,
    state,
    codeChallenge,
  }: AuthorizationRequest): string {
    this.assertOwnClient();
    const { endpointUrl } = this.context.credentials;
    const url = new URL(
      "o/oauth2/v2/auth",
      endpointUrl === undefined
        ? "https://accounts.google.com"
        : endpointUrl.replace(/\/*$/, "/"),
    );
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: this.context.credentials.clientId ?? "",
      redirect_uri: redirectUri,
      scope: scopes.join(" "),
      // Without both, Google gives a refresh token only the first time.
      access_type: "offline",
      prompt: "consent",
      state,
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
    }).toString();
    return url.href;
  }

  /** @returns the refresh token. @throws PlatformError when it is missing, or a scope is. */
  async exchangeCode({
    code,
    redirectUri,
    codeVerifier,
  }: AuthorizationCode): Promise<string> {
    this.assertOwnClient();
    const { clientId = "", clientSecret = "" } = this.context.credentials;
    const { data } = await this.withErrors({ what: "your consent" }, () =>
      this.auth.transporter.request<unknown>({
        url: "https://oauth2.googleapis.com/token",
        method: "POST",
        retry: false,
        data: new URLSearchParams({
          grant_type: "authorization_code",
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uri: redirectUri,
          code,
          code_verifier: codeVerifier,
        }),
      }),
    );
    const { scope, refresh_token: token } = codeReplySchema.parse(data);
    const granted = scope.split(" ");
    const missing = scopes.filter((one) => !granted.includes(one));
    if (missing.length > 0) throw createScopeError(missing);
    if (token !== undefined) return token;
    throw new PlatformError(
      "auth",
      "Nothing was saved, because Google sent no refresh token. Remove the access of your client at https://myaccount.google.com/connections, then continue with Google again.",
    );
  }

  /** The key of a service account would be used instead of what the user consents to. */
  private assertOwnClient(): void {
    if (this.account === null) return;
    throw new PlatformError(
      "bad_config",
      "Continue with Google without the key of a service account: leave that field empty.",
    );
  }

  private async withErrors<T>(
    subject: RequestSubject,
    request: () => Promise<T>,
  ): Promise<T> {
    try {
      return await request();
    } catch (error) {
      const granted = this.grantedScopes ?? [];
      const missing = scopes.filter((one) => !granted.includes(one));
      const { account } = this;
      throw toPlatformError(error, this.hostFetch, subject, {
        account,
        missingScopes: missing,
      });
    }
  }
}

const scopePrefix = "https://www.googleapis.com/auth/";
const sheetsScope = `${scopePrefix}spreadsheets`;
const driveScope = `${scopePrefix}drive`;
const scopes = [sheetsScope, driveScope];

/** As a user reads them on the page where each can be declined. */
const scopeTitles: Readonly<Record<string, string>> = {
  [sheetsScope]: "Google Sheets spreadsheets",
  [driveScope]: "Google Drive files",
};

/** What a write-back does, by the scope that the plugin asks for; each of the others allows it too. */
const writeRights = [
  {
    act: "Links to files cannot be written to cells",
    scope: sheetsScope,
    others: [driveScope, `${driveScope}.file`],
  },
  {
    act: "Files cannot be added to Drive",
    scope: driveScope,
    others: [`${driveScope}.file`],
  },
];

function describeMissingScopes(missing: readonly string[]): string {
  const plural = missing.length > 1 ? "scopes" : "scope";
  return `the refresh token lacks the ${plural} ${missing.join(" and ")}. In the studio, edit the connection, choose Continue with Google and tick every box; or save a refresh token that was made with every scope.`;
}

const codeReplySchema = z.object({
  scope: z.string(),
  refresh_token: z.string().optional(),
});

function createScopeError(missing: readonly string[]): PlatformError {
  const titles = missing.map((one) => scopeTitles[one]).join(" and ");
  return new PlatformError(
    "forbidden",
    `Nothing was saved, because you did not allow access to your ${titles}. Continue with Google again and tick every box.`,
  );
}

/** Access tokens, which are valid for an hour, by the digest of the credentials that they belong to. */
export type AccessTokens = LRUCache<
  string,
  { access_token: string; expiry_date: number; scope?: string }
>;

type OAuth2Client = InstanceType<typeof auth.OAuth2>;

function createAuth(
  credentials: GoogleCredentials,
  tokens: AccessTokens,
  fetchImplementation: typeof fetch,
): OAuth2Client {
  const transporterOptions = { fetchImplementation };
  const serviceAccount = parseServiceAccount(credentials);
  const client = serviceAccount
    ? new auth.JWT({
        email: serviceAccount.client_email,
        key: serviceAccount.private_key,
        scopes,
        transporterOptions,
        ...(credentials.subject !== undefined && {
          subject: credentials.subject,
        }),
      })
    : createUserAuth(credentials, transporterOptions);
  const text = JSON.stringify(credentials);
  const key = createHash("sha256").update(text).digest("base64url");
  client.setCredentials({ ...client.credentials, ...tokens.get(key) });
  client.on("tokens", ({ access_token, expiry_date, scope }) => {
    if (typeof access_token === "string" && typeof expiry_date === "number")
      tokens.set(key, {
        access_token,
        expiry_date,
        ...(scope !== undefined && { scope }),
      });
  });
  return client;
}

function createUserAuth(
  { clientId, clientSecret, refreshToken }: GoogleCredentials,
  transporterOptions: { fetchImplementation: typeof fetch },
): OAuth2Client {
  const client = new auth.OAuth2({
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    transporterOptions,
  });
  if (refreshToken !== undefined)
    client.setCredentials({ refresh_token: refreshToken });
  return client;
}

const keyFileSchema = z.object({
  client_email: z.string(),
  private_key: z.string(),
});

/** Returns null when the credentials are a user's. @throws PlatformError `bad_config`. */
function parseServiceAccount({ serviceAccount }: GoogleCredentials) {
  if (serviceAccount === undefined) return null;
  const { data } = keyFileSchema.safeParse(
    parseJson(Buffer.from(serviceAccount)),
  );
  if (data) return data;
  throw new PlatformError(
    "bad_config",
    "The key of the service account cannot be read. Save the whole content of its JSON file, which has client_email and private_key.",
  );
}

/** The `fetch` of Google's clients, which sends everything through the host. */
class HostFetch {
  /** Of the last request, because the clients keep too little of it. */
  reply: PlatformReply | null = null;
  error: unknown = null;
  /** Whether the last request was for an access token. */
  wasForToken = false;

  constructor(private readonly context: PlatformContext<GoogleCredentials>) {}

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.wasForToken = url.pathname.endsWith("/token");
    this.reply = null;
    this.error = null;
    try {
      this.reply = await this.send(url, init);
      return toResponse(this.reply);
    } catch (error) {
      this.error = error;
      throw error;
    }
  };

  private async send(url: URL, init: RequestInit = {}): Promise<PlatformReply> {
    const headers = new Headers(init.headers);
    headers.delete("accept-encoding");
    const body = await readBody(init.body);
    const reply = await this.context.http(this.route(url), {
      method: init.method ?? "GET",
      headers: Object.fromEntries(headers),
      ...(body !== null && { body }),
      ...(isDrive(url) && { bucket: driveBucket }),
    });
    assertJson(reply, url);
    return reply;
  }

  /** Applies `endpointUrl` and `contentUrl`: the clients' own setting covers neither uploads nor tokens. */
  private route(url: URL): string {
    const { endpointUrl, contentUrl = endpointUrl } = this.context.credentials;
    const isGoogle = url.host.endsWith(".googleapis.com");
    const isUpload = url.pathname.startsWith("/upload/");
    const base = isUpload ? contentUrl : endpointUrl;
    if (!isGoogle || base === undefined) return url.href;
    return base.replace(/\/+$/, "") + url.pathname + url.search;
  }
}

/** The limits of Drive, which are not those of Sheets. */
export const driveBucket = "drive";

function isDrive({ pathname }: URL): boolean {
  return /^\/(upload\/)?drive\//.test(pathname);
}

async function readBody(
  body: RequestInit["body"] | Readable,
): Promise<string | Uint8Array | null> {
  if (body === undefined || body === null) return null;
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  if (!(body instanceof Readable))
    return new Uint8Array(await new Response(body).arrayBuffer());
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<string | Uint8Array>)
    chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

/** The clients would accept a login page as an answer. */
function assertJson(
  { status, headers, body }: PlatformReply,
  { host }: URL,
): void {
  const type = headers["content-type"] ?? "";
  if (status > 299 || body.byteLength === 0 || type.includes("json")) return;
  throw new PlatformError(
    "unavailable",
    `${host} answered ${status} with something that is not JSON, such as a login page or a proxy's page.`,
    { status },
  );
}

function toResponse({ status, headers, body }: PlatformReply): Response {
  const isEmpty = body.byteLength === 0 || status === 204;
  return new Response(isEmpty ? null : Buffer.from(body), { status, headers });
}

const reasonList = z
  .array(z.object({ reason: z.string().optional() }))
  .default([]);
const apiErrorSchema = z.object({
  error: z.object({
    message: z.string().default(""),
    errors: reasonList,
    details: reasonList,
  }),
});

const tokenErrorSchema = z.object({
  error: z.string(),
  error_description: z.string().default(""),
});

/** Reasons that are more specific than the status. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  rateLimitExceeded: "rate_limited",
  userRateLimitExceeded: "rate_limited",
  RATE_LIMIT_EXCEEDED: "rate_limited",
  storageQuotaExceeded: "bad_config",
  accessNotConfigured: "bad_config",
  SERVICE_DISABLED: "bad_config",
};

function toPlatformError(
  cause: unknown,
  { reply, error, wasForToken }: HostFetch,
  subject: RequestSubject,
  user: TokenUser,
): unknown {
  if (cause instanceof PlatformError) return cause;
  if (error !== null) return error;
  if (reply === null) return cause;
  const { status } = reply;
  const { recordId, fieldId } = subject;
  const details = parseErrorBody(reply.body);
  const code = getErrorCode(status, details, wasForToken);
  const retryAfterMs = getRetryAfterMs(reply) ?? 0;
  return new PlatformError(code, describe(code, details, subject, user), {
    cause,
    status,
    ...(code === "rate_limited" && retryAfterMs > 0 && { retryAfterMs }),
    ...(recordId !== undefined && { recordId }),
    ...(fieldId !== undefined && { fieldId }),
  });
}

/** Whom a request was refused. */
interface TokenUser {
  /** Null for a user. */
  account: string | null;
  /** Of those that the plugin asks for. */
  missingScopes: readonly string[];
}

interface ErrorDetails {
  message: string;
  reasons: readonly string[];
}

function parseErrorBody(body: Uint8Array): ErrorDetails {
  const json = parseJson(body);
  const api = apiErrorSchema.safeParse(json).data;
  if (api) {
    const { message, errors, details } = api.error;
    const reasons = [...errors, ...details].flatMap(
      ({ reason = [] }) => reason,
    );
    return { message: message.slice(0, 300), reasons };
  }
  const token = tokenErrorSchema.safeParse(json).data;
  if (!token) return { message: "", reasons: [] };
  const { error, error_description: description } = token;
  return { message: `${error} ${description}`.trim(), reasons: [error] };
}

function getErrorCode(
  status: number,
  { message, reasons }: ErrorDetails,
  wasForToken: boolean,
): PlatformErrorCode {
  const [code] = reasons.flatMap((reason) => codes[reason] ?? []);
  if (code !== undefined) return code;
  if (wasForToken && (status === 400 || status === 401)) return "auth";
  if (status < 300) return "unavailable";
  if (status === 400 && message.includes("Unable to parse range"))
    return "not_found";
  return getPlatformErrorCode(status);
}

function describe(
  code: PlatformErrorCode,
  { message, reasons }: ErrorDetails,
  { what }: RequestSubject,
  { account, missingScopes }: TokenUser,
): string {
  const details = message === "" ? "" : ` Google says: ${message}`;
  const share = `Share it with ${account ?? "the user of the connection"} as an editor.`;
  const isScopeMissing =
    reasons.includes("ACCESS_TOKEN_SCOPE_INSUFFICIENT") ||
    reasons.includes("insufficientPermissions");
  switch (code) {
    case "auth":
      if (reasons.includes("invalid_client"))
        return `Google does not know this client ID, or its secret is wrong. Copy both from the Google Cloud console again.${details}`;
      if (reasons.includes("unauthorized_client") && account !== null)
        return `The service account may not act for the user. In the Google Admin console, open Security, API controls, Domain-wide delegation, and give its client ID the scopes ${scopes.join(" and ")}.${details}`;
      return `The credentials are not valid. Create a new key, or give your consent again, and save it in the connection.${details}`;
    case "forbidden":
      return isScopeMissing
        ? `Access to ${what} is denied: ${describeMissingScopes(missingScopes)}`
        : `Access to ${what} is denied. ${share}${details}`;
    case "not_found":
      return `Google did not find ${what}. Check its id or name. ${share}`;
    case "rate_limited":
      return "Google accepts no more requests at the moment.";
    case "bad_config":
      return reasons.includes("storageQuotaExceeded")
        ? "There is no storage for files. A service account has none of its own: set folderId to a folder in a Shared Drive, or use the consent of a user."
        : `The Google Cloud project of the credentials may not use this API.${details}`;
    default:
      return `Google refused a request for ${what}.${details}`;
  }
}

/** Declares that the cells of a column contain keys of another sheet's rows. */
export interface LinkColumn {
  sheet: string;
  column: string;
  /** The other sheet. */
  to: string;
  /** Whether a cell may contain several keys; default true. */
  many?: boolean;
  /** The name of a field that this adds to the other sheet, with all rows that link to its row. */
  inverse?: string;
}

/** How a connection reaches Google, and how its sheets are read. */
export interface GoogleCredentials {
  serviceAccount?: string;
  subject?: string;
  clientId?: string;
  clientSecret?: string;
  refreshToken?: string;
  keyColumn?: string;
  keyColumns?: Record<string, string>;
  links?: LinkColumn[];
  fileColumns?: string[];
  folderId?: string;
  endpointUrl?: string;
  contentUrl?: string;
}

const defaultFileColumns = [
  "Document",
  "Documents",
  "File",
  "Files",
  "PDF",
  "Attachment",
  "Attachments",
];

const text = { type: "string", minLength: 1 };
const secret = { ...text, writeOnly: true };
const address = { type: "string", format: "uri", pattern: "^https?://" };

const link = {
  type: "object",
  additionalProperties: false,
  required: ["sheet", "column", "to"],
  properties: {
    sheet: text,
    column: text,
    to: text,
    many: { type: "boolean" },
    inverse: text,
  },
};

export const credentialsSchema: SettingsSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  anyOf: [
    { required: ["serviceAccount"] },
    { required: ["clientId", "clientSecret", "refreshToken"] },
  ],
  properties: {
    serviceAccount: {
      ...secret,
      title: "Service account key",
      description: "The whole content of its JSON file.",
    },
    subject: {
      ...text,
      title: "User to act for",
      description:
        "With a service account that has domain-wide delegation: the email address of a user.",
    },
    clientId: { ...text, title: "OAuth client id" },
    clientSecret: { ...secret, title: "OAuth client secret" },
    refreshToken: { ...secret, title: "OAuth refresh token" },
    keyColumn: {
      ...text,
      default: "ID",
      title: "Key column",
      description:
        "The name, in the first row, of the column that identifies rows. Its values are unique and never empty.",
    },
    keyColumns: {
      type: "object",
      additionalProperties: { type: "string" },
      title: "Key columns of single sheets",
      description:
        "By the name of a sheet, where it has a different one. Empty: the sheet is ignored.",
    },
    links: { type: "array", items: link, title: "Links between sheets" },
    fileColumns: {
      type: "array",
      items: text,
      title: "Columns that accept links to files",
      description: `Default: ${defaultFileColumns.join(", ")}.`,
    },
    folderId: {
      ...text,
      title: "Drive folder for files",
      description:
        "The last part of its address. A service account needs one in a Shared Drive.",
    },
    endpointUrl: {
      ...address,
      title: "Address in place of Google's",
    },
    contentUrl: {
      ...address,
      title: "Address in place of Google's for uploads",
    },
  },
  translations,
};

/** What a connection says about its sheets. */
export class SheetSettings {
  private readonly links: readonly LinkColumn[];
  private readonly fileColumns: ReadonlySet<string>;

  constructor(private readonly credentials: GoogleCredentials) {
    this.links = credentials.links ?? [];
    this.fileColumns = new Set(credentials.fileColumns ?? defaultFileColumns);
  }

  /** Returns null when the connection ignores the sheet. */
  getKeyColumn(sheet: string): string | null {
    const { keyColumns = {}, keyColumn = "ID" } = this.credentials;
    const column = Object.hasOwn(keyColumns, sheet)
      ? keyColumns[sheet]
      : keyColumn;
    return column === undefined || column === "" ? null : column;
  }

  /** Whether the connection names a key column for this sheet in particular. */
  hasOwnKeyColumn(sheet: string): boolean {
    return Object.hasOwn(this.credentials.keyColumns ?? {}, sheet);
  }

  acceptsFiles(column: string): boolean {
    return this.fileColumns.has(column);
  }

  findLink(sheet: string, column: string): LinkColumn | undefined {
    return this.links.find(
      (one) => one.sheet === sheet && one.column === column,
    );
  }

  /** Links of other sheets that add a field to this one. */
  findInverseLinks(sheet: string): (LinkColumn & { inverse: string })[] {
    return this.links.flatMap((one) =>
      one.to === sheet && one.inverse !== undefined
        ? [{ ...one, inverse: one.inverse }]
        : [],
    );
  }
}
