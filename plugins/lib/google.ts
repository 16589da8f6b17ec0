import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { auth, drive, type drive_v3 } from "@googleapis/drive";
import type { LRUCache } from "lru-cache";
import { z } from "zod";
import {
  type AuthorizationCode,
  type AuthorizationRequest,
  type PlatformContext,
  PlatformError,
  getPlatformErrorCode,
  type OutFile,
  type PlatformErrorCode,
  type PlatformReply,
  type PluginAuthorization,
} from "../../core/plugin-api/index.js";
import { getRetryAfterMs, parseJson } from "./http-api.js";
import type { SettingTexts } from "./translations.js";

// Google's accounts and Drive, for the plugins that use one of its services.

export interface GoogleAccess {
  serviceAccount?: string;
  subject?: string;
  clientId?: string;
  clientSecret?: string;
  refreshToken?: string;
  endpointUrl?: string;
  contentUrl?: string;
}

/** What a request is about, for its error message. */
interface RequestSubject {
  /** Such as `the sheet "Orders"`. */
  what: string;
  recordId?: string;
  fieldId?: string;
}

export interface GoogleScope {
  id: string;
  /** As users read it on the page where each can be declined. */
  title: string;
}

/** Sends the requests of one call of the plugin, one after the other. */
export class GoogleClient<C extends GoogleAccess = GoogleAccess> {
  readonly drive: drive_v3.Drive;
  /** The email address of the service account; null for a user. */
  readonly account: string | null;
  protected readonly auth: OAuth2Client;
  private readonly hostFetch: HostFetch;
  private readonly scopes: readonly string[];

  constructor(
    readonly context: PlatformContext<C>,
    tokens: AccessTokens,
    /** All that the plugin asks for. */
    private readonly named: readonly GoogleScope[],
  ) {
    const { credentials } = context;
    this.hostFetch = new HostFetch(context);
    this.account = parseServiceAccount(credentials)?.client_email ?? null;
    this.scopes = named.map(({ id }) => id);
    this.auth = createAuth(
      credentials,
      this.scopes,
      tokens,
      this.hostFetch.fetch,
    );
    // Only the host retries.
    this.drive = drive({ version: "v3", auth: this.auth, retry: false });
  }

  /** Sends one request through a client of Google's and returns its data. @throws PlatformError. */
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
      method: "POST" | "PUT" | "PATCH";
      headers: Record<string, string>;
      data: string | Uint8Array;
    },
  ): Promise<{ data: unknown; headers: Headers }> {
    return this.withErrors(subject, () =>
      this.auth.request<unknown>({
        url,
        retry: false,
        // 308: a part of an upload has arrived.
        validateStatus: (status) => status < 300 || status === 308,
        ...init,
      }),
    );
  }

  /** What the refresh token does not allow, as far as Google said so with the last access token. */
  listMissingRights(): string[] {
    const granted = this.grantedScopes;
    if (granted === null) return [];
    return writeRights
      .filter(
        ({ scope, others }) =>
          this.scopes.includes(scope) &&
          [scope, ...others].every(
            (alternative) => !granted.includes(alternative),
          ),
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
      scope: this.scopes.join(" "),
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
    const missing = this.named.filter(({ id }) => !granted.includes(id));
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
      const { account, scopes } = this;
      throw toPlatformError(error, this.hostFetch, subject, {
        account,
        scopes,
        missingScopes: scopes.filter((scope) => !granted.includes(scope)),
      });
    }
  }
}

/** "Continue with Google", for all that the plugin asks for. @param connect creates the plugin's client. */
export function authorizeWithGoogle<C extends GoogleAccess>(
  connect: (context: PlatformContext<C>) => GoogleClient<C>,
): PluginAuthorization<C> {
  return {
    title: "Google",
    needs: ["clientId", "clientSecret"],
    grants: ["refreshToken"],
    createUrl: async (context, request) =>
      connect(context).createAuthorizationUrl(request),
    exchangeCode: async (context, code) => ({
      refreshToken: await connect(context).exchangeCode(code),
    }),
  };
}

const scopePrefix = "https://www.googleapis.com/auth/";
export const sheetsScope: GoogleScope = {
  id: `${scopePrefix}spreadsheets`,
  title: "Google Sheets spreadsheets",
};
export const driveScope: GoogleScope = {
  id: `${scopePrefix}drive`,
  title: "Google Drive files",
};

/** What needs a scope; each of the others allows it too. */
const writeRights = [
  {
    act: "Links to files cannot be written to cells",
    scope: sheetsScope.id,
    others: [driveScope.id, `${driveScope.id}.file`],
  },
  {
    act: "Files cannot be added to Drive",
    scope: driveScope.id,
    others: [`${driveScope.id}.file`],
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

function createScopeError(missing: readonly GoogleScope[]): PlatformError {
  const titles = missing.map(({ title }) => title).join(" and ");
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
  credentials: GoogleAccess,
  scopes: readonly string[],
  tokens: AccessTokens,
  fetchImplementation: typeof fetch,
): OAuth2Client {
  const transporterOptions = { fetchImplementation };
  const serviceAccount = parseServiceAccount(credentials);
  const client = serviceAccount
    ? new auth.JWT({
        email: serviceAccount.client_email,
        key: serviceAccount.private_key,
        scopes: [...scopes],
        transporterOptions,
        ...(credentials.subject !== undefined && {
          subject: credentials.subject,
        }),
      })
    : createUserAuth(credentials, transporterOptions);
  const text = JSON.stringify([credentials, scopes]);
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
  { clientId, clientSecret, refreshToken }: GoogleAccess,
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
function parseServiceAccount({ serviceAccount }: GoogleAccess) {
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
  wasForToken = false;

  constructor(private readonly context: PlatformContext<GoogleAccess>) {}

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
      ...findBucket(url, init.method),
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

/** The limits of Drive, which sustains three writes per second for a user; they are not those of Sheets. */
export const driveBuckets = {
  "drive-write": { maxPerSecond: 3 },
  "drive-read": { maxPerSecond: 20 },
} as const;

function findBucket(
  { pathname }: URL,
  method = "GET",
): { bucket?: keyof typeof driveBuckets } {
  if (!/^\/(upload\/)?drive\//.test(pathname)) return {};
  return { bucket: method === "GET" ? "drive-read" : "drive-write" };
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
  storageQuotaExceeded: "quota_exceeded",
  teamDriveFileLimitExceeded: "quota_exceeded",
  numChildrenInNonRootLimitExceeded: "quota_exceeded",
  dailyLimitExceeded: "quota_exceeded",
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
  const code = getErrorCode(status, details, wasForToken, user);
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
  /** All that the plugin asks for. */
  scopes: readonly string[];
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
  { account }: TokenUser,
): PlatformErrorCode {
  // A service account never gets storage of its own.
  if (account !== null && reasons.includes("storageQuotaExceeded"))
    return "bad_config";
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
  { account, scopes, missingScopes }: TokenUser,
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
    case "quota_exceeded":
      return reasons.includes("storageQuotaExceeded")
        ? "The Drive of the connection's user is full. Free space, or choose a folder in a Shared Drive."
        : `Google accepts no more files in ${what}.${details}`;
    default:
      return `Google refused a request for ${what}.${details}`;
  }
}

/** Google's limits are per user. */
export function getUserKey({
  serviceAccount,
  clientId,
  refreshToken,
  subject,
  endpointUrl,
}: GoogleAccess): string {
  const user = [serviceAccount, subject, clientId, refreshToken];
  return JSON.stringify([endpointUrl, ...user]);
}

const text = { type: "string", minLength: 1 };
const secret = { ...text, writeOnly: true };
const address = { type: "string", format: "uri", pattern: "^https?://" };

/** Either is needed. */
export const accessAlternatives = [
  { required: ["serviceAccount"] },
  { required: ["clientId", "clientSecret", "refreshToken"] },
];

/** The settings of a connection by which it signs in. */
export const accessProperties = {
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
};

/** For tests, and for networks that reach Google through other addresses. */
export const addressProperties = {
  endpointUrl: {
    ...address,
    title: "Address in place of Google's",
  },
  contentUrl: {
    ...address,
    title: "Address in place of Google's for uploads",
  },
};

export const accessTranslations = {
  de: {
    serviceAccount: [
      "Schlüssel des Dienstkontos",
      "Der gesamte Inhalt seiner JSON-Datei.",
    ],
    subject: [
      "Benutzer, in dessen Namen zugegriffen wird",
      "Für ein Dienstkonto mit domainweiter Delegierung: die E-Mail-Adresse eines Benutzers.",
    ],
    clientId: "OAuth-Client-ID",
    clientSecret: "OAuth-Clientschlüssel",
    refreshToken: "OAuth-Aktualisierungstoken",
    endpointUrl: "Adresse anstelle der von Google",
    contentUrl: "Adresse für Uploads anstelle der von Google",
  },
  es: {
    serviceAccount: [
      "Clave de la cuenta de servicio",
      "Todo el contenido de su archivo JSON.",
    ],
    subject: [
      "Usuario en cuyo nombre se accede",
      "Para una cuenta de servicio con delegación de todo el dominio: la dirección de correo de un usuario.",
    ],
    clientId: "ID de cliente de OAuth",
    clientSecret: "Secreto de cliente de OAuth",
    refreshToken: "Token de actualización de OAuth",
    endpointUrl: "Dirección en lugar de la de Google",
    contentUrl: "Dirección para subir archivos en lugar de la de Google",
  },
  fr: {
    serviceAccount: [
      "Clé du compte de service",
      "Tout le contenu de son fichier JSON.",
    ],
    subject: [
      "Utilisateur au nom duquel agir",
      "Pour un compte de service avec délégation à l’échelle du domaine : l’adresse e-mail d’un utilisateur.",
    ],
    clientId: "ID client OAuth",
    clientSecret: "Code secret du client OAuth",
    refreshToken: "Jeton d’actualisation OAuth",
    endpointUrl: "Adresse à la place de celle de Google",
    contentUrl: "Adresse d’envoi des fichiers à la place de celle de Google",
  },
} satisfies SettingTexts;

/** Google requires a resumable upload, which announces its size, for larger files. */
const maxSimpleUploadBytes = 5_000_000;
/** Google asks for multiples of 256 KiB. */
const partBytes = 8 * 1024 * 1024;

const uploadedSchema = z.object({
  id: z.string(),
  webViewLink: z.string().optional(),
});
const uploadedFields = "id,webViewLink";

/** A file to upload, read as it is sent. */
interface UploadFile extends Pick<
  OutFile,
  "filename" | "contentType" | "sizeBytes"
> {
  open(): Promise<Iterable<Uint8Array> | AsyncIterable<Uint8Array>>;
}

/** A new file, at the top of the user's Drive without a folder; or the content of an existing one. */
type UploadPlace =
  | { folderId: string | undefined; appProperties?: Record<string, string> }
  | { fileId: string };

/** Uploads a file to Drive. The file appears whole. */
export async function uploadToDrive(
  client: GoogleClient,
  file: UploadFile,
  place: UploadPlace,
): Promise<z.infer<typeof uploadedSchema>> {
  const { filename: name, contentType: mimeType, sizeBytes } = file;
  const isNew = !("fileId" in place);
  const subject = {
    what: isNew ? describeFolder(place.folderId) : `the file "${name}"`,
  };
  const metadata = {
    name,
    mimeType,
    ...(isNew && {
      ...(place.folderId !== undefined && { parents: [place.folderId] }),
      ...(place.appProperties && { appProperties: place.appProperties }),
    }),
  };
  if (sizeBytes <= maxSimpleUploadBytes) {
    const { files } = client.drive;
    // Read first: Google's client does not handle an error of the stream that it is given.
    const chunks: Uint8Array[] = [];
    for await (const chunk of await file.open()) chunks.push(chunk);
    const request = {
      supportsAllDrives: true,
      fields: uploadedFields,
      requestBody: metadata,
      media: { mimeType, body: Readable.from([Buffer.concat(chunks)]) },
    };
    const uploaded = await client.send(subject, () =>
      isNew
        ? files.create(request)
        : files.update({ ...request, fileId: place.fileId }),
    );
    return uploadedSchema.parse(uploaded);
  }
  const path = isNew ? "files" : `files/${encodeURIComponent(place.fileId)}`;
  const { headers } = await client.sendRaw(
    subject,
    `https://www.googleapis.com/upload/drive/v3/${path}?uploadType=resumable&supportsAllDrives=true&fields=${uploadedFields}`,
    {
      method: isNew ? "POST" : "PATCH",
      headers: {
        "content-type": "application/json",
        "x-upload-content-type": mimeType,
        "x-upload-content-length": String(sizeBytes),
      },
      data: JSON.stringify(metadata),
    },
  );
  const location = headers.get("location");
  if (location === null)
    throw new PlatformError(
      "unavailable",
      "Google returned no upload address for a file.",
    );
  let at = 0;
  for await (const data of joinChunks(await file.open(), partBytes)) {
    const end = at + data.byteLength;
    const reply = await client.sendRaw(subject, location, {
      method: "PUT",
      headers: {
        "content-type": mimeType,
        "content-range": `bytes ${at}-${end - 1}/${sizeBytes}`,
      },
      data,
    });
    if (end === sizeBytes) return uploadedSchema.parse(reply.data);
    at = end;
  }
  throw new PlatformError(
    "unavailable",
    `The file "${name}" has ${at} bytes instead of ${sizeBytes}.`,
  );
}

/** The content in parts of that size, the last of which may be smaller. */
async function* joinChunks(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.byteLength;
    if (length < size) continue;
    const joined = Buffer.concat(held);
    let at = 0;
    for (; at + size <= length; at += size)
      yield joined.subarray(at, at + size);
    held = [joined.subarray(at)];
    length -= at;
  }
  if (length > 0) yield Buffer.concat(held);
}

export function describeFolder(folderId: string | undefined): string {
  return `the Drive folder ${folderId ?? "of the account"}`;
}

const noStorageWarning =
  "A service account has no storage of its own, so files can be written only to a folder in a Shared Drive. Set folderId.";

/** Whether files can be added to a folder; without one, to the top of the user's Drive. @returns what is missing. */
export async function checkDriveFolder(
  client: GoogleClient,
  fileId: string | undefined,
): Promise<string[]> {
  const { subject } = client.context.credentials;
  const hasStorage = client.account === null || subject !== undefined;
  if (fileId === undefined) return hasStorage ? [] : [noStorageWarning];
  const { driveId, capabilities } = await client.send(
    { what: describeFolder(fileId) },
    () =>
      client.drive.files.get({
        fileId,
        supportsAllDrives: true,
        fields: "id,driveId,capabilities(canAddChildren)",
      }),
  );
  return [
    ...(hasStorage || typeof driveId === "string" ? [] : [noStorageWarning]),
    ...(capabilities?.canAddChildren === false
      ? [
          "Files cannot be added to the folder. Share it with the account as a contributor.",
        ]
      : []),
  ];
}
