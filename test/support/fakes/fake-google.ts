import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { clock } from "../../../core/lib/clock.js";
import { importSPKI, jwtVerify } from "jose";
import { z } from "zod";
import {
  FakeRefusal,
  FakeServer,
  type FakeReply,
  type FakeRequest,
} from "./fake-server.js";

// Google's accounts, Sheets and Drive, as far as plugins use them, on the loopback interface. It refuses what Google does:
// - tokens without one of the scopes of a request: 403 (…/sheets/api/scopes, …/drive/api/guides/api-specific-auth, under
//   developers.google.com/workspace); refresh tokens that were revoked, assertions that no known key signed, delegation that
//   no administrator allowed, and codes that were used or that come with another client, redirect URI or PKCE verifier
//   (developers.google.com/identity/protocols/oauth2)
// - more than 60 reads or 60 writes a minute by a user of a project: 429 (…/sheets/api/limits)
// - sheets that do not exist ("Unable to parse range"), and ranges that begin outside of the grid
//   (github.com/home-assistant/core/issues/104198); a grid has 1,000 rows and 26 columns at first
// - writing without `valueInputOption` (…/sheets/api/guides/values), and more than 50,000 characters into a cell
//   (github.com/moevm/github_repo_commitment_calc/issues/67)
// - files of service accounts outside of Shared Drives, which have no quota (…/drive/api/guides/handle-errors), and whatever
//   is in a Shared Drive for requests without `supportsAllDrives` (…/drive/api/guides/enable-shareddrives)
// - parts of resumable uploads that are no multiples of 256 KiB, but for the last (…/drive/api/guides/manage-uploads)
// - properties whose key and value have more than 124 bytes (…/drive/api/guides/properties), and queries that the plugins do
//   not use

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  type: string;
  body: Uint8Array;
  user: string;
  /** The header `content-range`. */
  range: string;
}

export class FakeGoogle extends FakeServer {
  readonly accounts = new FakeAccounts();
  readonly drive = new FakeDrive();
  readonly spreadsheets: FakeSpreadsheet[] = [];
  /** `METHOD /path` of each request. */
  readonly log: string[] = [];

  private readonly quota: Quota;

  /** @param perMinute of reads, and of writes, for each user. */
  constructor(perMinute = 60) {
    super();
    this.quota = new Quota(perMinute);
  }

  static start(perMinute?: number): Promise<FakeGoogle> {
    return new FakeGoogle(perMinute).listen();
  }

  /** @param sheets by their titles: rows, the first of which names the columns. */
  addSpreadsheet(
    title: string,
    users: readonly string[],
    sheets: Readonly<Record<string, FakeCell[][]>>,
  ): FakeSpreadsheet {
    const spreadsheet = {
      id: `spreadsheet-${this.spreadsheets.length}`.padEnd(44, "0"),
      title,
      timeZone: "Europe/Berlin",
      users: new Set(users),
      isViewOnly: false,
      sheets: Object.entries(sheets).map(
        ([name, rows]) => new FakeSheet(name, rows),
      ),
    };
    this.spreadsheets.push(spreadsheet);
    return spreadsheet;
  }

  /** Whether writing a cell fails before or after it has an effect. */
  cellFailure: "before" | "after" | null = null;
  /** Awaited after each change of many cells, before it is answered. */
  beforeReply: () => Promise<void> | void = () => undefined;

  protected async respond(request: FakeRequest): Promise<FakeReply> {
    const { method, query, headers, bytes: body } = request;
    this.log.push(`${method} ${request.path}`);
    const type = headers["content-type"] ?? "";
    const path = decodeURIComponent(request.path);
    const form = new URLSearchParams(body.toString());
    if (path === "/token") return { body: await this.accounts.grant(form) };
    if (path === "/o/oauth2/v2/auth")
      return this.accounts.consent.answer(query, form, method);
    const user = path.startsWith("/upload/session/")
      ? ""
      : this.accounts.authorize(headers["authorization"], method, path);
    const range = headers["content-range"] ?? "";
    if (path.startsWith("/upload/") && method === "POST")
      await this.drive.beforeUpload();
    const reply = this.#respond({
      method,
      path,
      query,
      type,
      body,
      user,
      range,
    });
    if (path.endsWith("/values:batchUpdate")) await this.beforeReply();
    return reply;
  }

  #respond(call: Call): FakeReply {
    const { path } = call;
    if (path.startsWith("/v4/spreadsheets/")) return this.respondSheets(call);
    if (path.startsWith("/upload/")) return this.respondUpload(call);
    if (path.startsWith("/drive/v3/")) return this.respondDrive(call);
    throw googleErrors.notFound();
  }

  private respondSheets(call: Call): FakeReply {
    const { path, user, method } = call;
    this.quota.use(user, method === "GET" ? "Read" : "Write");
    const found = /^\/v4\/spreadsheets\/([\w-]+)(?:\/values([:/].+))?$/.exec(
      path,
    );
    const [, id = "", rest = ""] = found ?? [];
    const spreadsheet = this.spreadsheets.find((one) => one.id === id);
    if (!spreadsheet) throw googleErrors.notFound();
    if (!spreadsheet.users.has(user)) throw googleErrors.permission();
    if (rest === ":batchGet")
      return { body: batchGet(spreadsheet, call.query) };
    if (rest === ":batchUpdate") {
      if (spreadsheet.isViewOnly) throw googleErrors.permission();
      const failure = this.cellFailure;
      if (failure === "before") throw googleErrors.backend();
      const body = batchUpdate(spreadsheet, call);
      if (failure === "after") throw googleErrors.backend();
      return { body };
    }
    return { body: show(spreadsheet, call.query) };
  }

  private respondDrive({ path, query, user, method, body }: Call): FakeReply {
    if (path === "/drive/v3/about")
      return { body: { user: { emailAddress: user } } };
    const isServiceAccount = this.accounts.isServiceAccount(user);
    const by = { owner: user, isServiceAccount, ...seesShared(query) };
    if (path === "/drive/v3/files") {
      if (method === "POST") return { body: this.drive.createFolder(by, body) };
      return query.get("q")?.includes(" in parents")
        ? { body: this.drive.search(query) }
        : { body: this.list(query, user) };
    }
    const id = path.split("/").at(-1) ?? "";
    this.drive.assertVisible(id, by);
    if (method === "DELETE") {
      if (!this.drive.files.delete(id)) throw googleErrors.notFound();
      return { body: null };
    }
    if (method === "PATCH" && String(body) === '{"trashed":true}')
      return { body: this.drive.moveToTrash(id, user) };
    const shown = this.spreadsheets.find((one) => one.id === id);
    if (shown?.users.has(user)) return { body: toDriveFile(shown) };
    return { body: this.drive.show(id) };
  }

  private respondUpload({
    path,
    query,
    user,
    type,
    body,
    method,
    range,
  }: Call): FakeReply {
    const session = /^\/upload\/session\/(.+)$/.exec(path)?.[1];
    if (session !== undefined && method === "PUT")
      return this.drive.continueResumable(session, range, body);
    const isServiceAccount = this.accounts.isServiceAccount(user);
    const fileId =
      method === "PATCH" ? (path.split("/").at(-1) ?? "") : undefined;
    if (fileId !== undefined && !this.drive.files.has(fileId))
      throw googleErrors.notFound();
    const by = { owner: user, isServiceAccount, ...seesShared(query) };
    if (fileId !== undefined) this.drive.assertVisible(fileId, by);
    if (query.get("uploadType") === "resumable") {
      const id = this.drive.startResumable(by, body, fileId);
      const location = `${this.url}/upload/session/${id}`;
      return { body: null, headers: { location } };
    }
    return { body: this.drive.createMultipart(by, type, body, fileId) };
  }

  private list(query: URLSearchParams, user: string) {
    const seen = this.spreadsheets.filter(({ users }) => users.has(user));
    const size = Math.min(Number(query.get("pageSize") ?? 100), 1000);
    const from = Number(query.get("pageToken") ?? 0);
    const files = seen.slice(from, from + size).map(toDriveFile);
    const next = from + size;
    return {
      files,
      ...(next < seen.length && { nextPageToken: String(next) }),
    };
  }
}

const minuteMs = 60_000;

/** So many reads and so many writes in any minute of the clock for each user. */
class Quota {
  private readonly starts = new Map<string, number[]>();

  constructor(private readonly perMinute: number) {}

  use(user: string, metric: "Read" | "Write"): void {
    const key = `${metric} ${user}`;
    const now = clock.now();
    const recent = (this.starts.get(key) ?? []).filter(
      (at) => at > now - minuteMs,
    );
    // As many more as pauses are shorter.
    const most = (this.perMinute * minuteMs) / clock.pause(minuteMs);
    if (recent.length >= most) throw googleErrors.quota(metric);
    this.starts.set(key, [...recent, now]);
  }
}

interface DriveFile {
  id: string;
  name: string;
  mimeType: string;
  parents: readonly string[];
  appProperties: Readonly<Record<string, string>>;
  bytes: Uint8Array;
  owner: string;
  createdTime: string;
  trashed: boolean;
}

const metadata = z.object({
  name: z.string(),
  mimeType: z.string(),
  parents: z.array(z.string()).default([]),
  appProperties: z
    .record(z.string(), z.string())
    .refine((all) =>
      Object.entries(all).every(
        ([key, value]) => Buffer.byteLength(key + value) <= 124,
      ),
    )
    .default({}),
});
type Metadata = z.infer<typeof metadata>;

interface Uploader {
  owner: string;
  isServiceAccount: boolean;
  seesSharedDrives: boolean;
}

/** Without this parameter, a request knows nothing of Shared Drives. */
function seesShared(query: URLSearchParams) {
  return { seesSharedDrives: query.get("supportsAllDrives") === "true" };
}

interface UploadSession {
  by: Uploader;
  about: Metadata;
  /** Whose content is replaced. */
  fileId: string | undefined;
  parts: Uint8Array[];
}

const folderType = "application/vnd.google-apps.folder";
const sharedDriveId = "shared-drive";
/** That parts of uploads have, but for the last. */
const partUnit = 256 * 1024;

/** Files and folders. */
class FakeDrive {
  readonly files = new Map<string, DriveFile>();
  /** Folders at the top of a Shared Drive. */
  readonly sharedFolders = new Set<string>();
  /** Folders to which nothing can be added. */
  readonly readOnly = new Set<string>();
  /** Users without storage that is left. */
  readonly full = new Set<string>();
  readonly sessions = new Map<string, UploadSession>();
  /** Who may add to Shared Drives, but remove nothing. */
  readonly contributors = new Set<string>();
  /** Called before a file is uploaded, such as for another process. */
  beforeUpload: () => Promise<void> = () => Promise.resolve();
  /** Called before a file is moved to the trash. */
  beforeTrash: () => void = () => undefined;
  /** When files are created, in milliseconds. */
  now: () => number = Date.now;
  private searchCount = 0;
  /** Called before a folder is created, such as by another process. */
  beforeFolder: (name: string) => void = () => undefined;
  private count = 0;

  /** @returns the id of a folder in a Shared Drive. */
  addSharedFolder(): string {
    const id = `folder-${this.sharedFolders.size}-shared`;
    this.sharedFolders.add(id);
    return id;
  }

  /** The names of a file's folders and its own. */
  pathOf({ name, parents: [parent = ""] }: DriveFile): string {
    const folder = this.files.get(parent);
    return folder ? `${this.pathOf(folder)}/${name}` : name;
  }

  show(id: string) {
    const file = this.files.get(id);
    if (!file && !this.sharedFolders.has(id)) throw googleErrors.notFound();
    return {
      id,
      mimeType: file?.mimeType ?? folderType,
      ...(this.isShared(id) && { driveId: sharedDriveId }),
      capabilities: { canAddChildren: !this.readOnly.has(id) },
    };
  }

  /** The files of a name in a folder, as `files.list` finds them by the conditions that the plugins use. */
  search(query: URLSearchParams) {
    const q = query.get("q") ?? "";
    const found =
      /^name = '((?:[^'\\]|\\.)*)' and '([\w-]+)' in parents and trashed = false and (.+)$/.exec(
        q,
      );
    if (!found) throw googleErrors.argument(`Invalid Value: ${q}`);
    const [, quoted = "", parent = "", condition = ""] = found;
    const name = quoted.replaceAll(/\\(.)/g, "$1");
    const isShared = this.isShared(parent);
    if (parent !== "root" && !isShared && !this.files.has(parent))
      throw googleErrors.notFound();
    // Without these, files of Shared Drives are left out.
    const isVisible =
      !isShared ||
      (query.get("includeItemsFromAllDrives") === "true" &&
        query.get("supportsAllDrives") === "true" &&
        query.get("driveId") === sharedDriveId);
    const [, key = "", value = ""] =
      /^appProperties has \{ key='(\w+)' and value='(\w+)' \}$/.exec(
        condition,
      ) ?? [];
    if (key === "" && condition !== `mimeType = '${folderType}'`)
      throw googleErrors.argument(`Invalid Value: ${q}`);
    const files = [...this.files.values()].filter(
      (file) =>
        isVisible &&
        !file.trashed &&
        file.name === name &&
        (file.parents[0] ?? "root") === parent &&
        (key === ""
          ? file.mimeType === folderType
          : file.appProperties[key] === value),
    );
    if (query.get("orderBy") !== "createdTime")
      throw googleErrors.argument("orderBy");
    // The order of those created at the same time is not defined.
    this.searchCount += 1;
    const sorted = (this.searchCount % 2 === 0 ? files.toReversed() : files)
      .toSorted((one, other) =>
        one.createdTime < other.createdTime
          ? -1
          : one.createdTime > other.createdTime
            ? 1
            : 0,
      )
      .slice(0, Number(query.get("pageSize") ?? 100));
    const shown = query.get("fields") ?? "";
    return {
      files: sorted.map(({ id, createdTime, appProperties }) => ({
        id,
        ...(shown.includes("createdTime") && { createdTime }),
        ...(shown.includes("appProperties") && { appProperties }),
      })),
    };
  }

  /** @throws GoogleError for those who may not: contributors of Shared Drives. */
  moveToTrash(id: string, user: string) {
    const file = this.files.get(id);
    if (!file) throw googleErrors.notFound();
    this.beforeTrash();
    if (this.isShared(id) ? this.contributors.has(user) : file.owner !== user)
      throw googleErrors.permission();
    file.trashed = true;
    return { id };
  }

  /** The files that are not in the trash. */
  listFiles(): DriveFile[] {
    return [...this.files.values()].filter(
      ({ mimeType, trashed }) => !trashed && mimeType !== folderType,
    );
  }

  createFolder(by: Uploader, body: Uint8Array) {
    const about = metadata.parse(JSON.parse(new TextDecoder().decode(body)));
    if (about.mimeType !== folderType) throw googleErrors.argument("mimeType");
    this.beforeFolder(about.name);
    const { id } = this.keep(by, about, new Uint8Array());
    return { id };
  }

  /** The two parts of `multipart/related`: what it is, and its bytes. */
  createMultipart(
    by: Uploader,
    type: string,
    body: Uint8Array,
    fileId: string | undefined,
  ) {
    const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? "";
    const text = Buffer.from(body).toString("latin1");
    const [, first = "", second = ""] = text.split(`--${boundary}`);
    const about: unknown = JSON.parse(utf8(getContent(first)));
    const bytes = Buffer.from(getContent(second), "latin1");
    return toUploaded(this.keep(by, metadata.parse(about), bytes, fileId));
  }

  /** @returns the id of an upload whose bytes follow. */
  startResumable(
    by: Uploader,
    body: Uint8Array,
    fileId: string | undefined,
  ): string {
    const id = `session-${this.sessions.size}`;
    const about: unknown = JSON.parse(new TextDecoder().decode(body));
    this.sessions.set(id, {
      by,
      about: metadata.parse(about),
      fileId,
      parts: [],
    });
    return id;
  }

  /** All bytes at once, or one part after the other by their ranges. */
  continueResumable(id: string, range: string, bytes: Uint8Array): FakeReply {
    const session = this.sessions.get(id);
    if (!session) throw googleErrors.notFound();
    const { by, about, fileId, parts } = session;
    const received = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const [, from, to, total] = (
      /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? [
        "",
        "0",
        String(bytes.byteLength - 1),
        String(bytes.byteLength),
      ]
    ).map(Number);
    const end = received + bytes.byteLength;
    if (from !== received || to !== end - 1)
      throw googleErrors.argument(`Invalid range ${range}`);
    parts.push(bytes);
    if (end !== total) {
      if (bytes.byteLength % partUnit !== 0)
        throw googleErrors.argument("Invalid size of a part");
      return { status: 308, body: null, headers: { range: `bytes=0-${to}` } };
    }
    this.sessions.delete(id);
    const file = this.keep(by, about, Buffer.concat(parts), fileId);
    return { body: toUploaded(file) };
  }

  /** @throws GoogleError for what is in a Shared Drive, for those who do not see any. */
  assertVisible(id: string, { seesSharedDrives }: Uploader): void {
    if (this.isShared(id) && !seesSharedDrives) throw googleErrors.notFound();
  }

  private isShared(id: string): boolean {
    const [parent] = this.files.get(id)?.parents ?? [];
    return (
      this.sharedFolders.has(id) ||
      (parent !== undefined && this.isShared(parent))
    );
  }

  private keep(
    by: Uploader,
    about: Metadata,
    bytes: Uint8Array,
    fileId?: string,
  ): DriveFile {
    const { owner, isServiceAccount } = by;
    const old = this.files.get(fileId ?? "");
    const parents = old?.parents ?? about.parents;
    const [parent = "root"] = parents;
    this.assertVisible(parent, by);
    const isShared = this.isShared(parent);
    if (parent !== "root" && !isShared && !this.files.has(parent))
      throw googleErrors.notFound();
    if (this.readOnly.has(parent)) throw googleErrors.permission();
    if (!isShared && (isServiceAccount || this.full.has(owner)))
      throw googleErrors.storage(isServiceAccount);
    this.count += 1;
    const id = old?.id ?? `file-${String(this.count).padStart(20, "0")}`;
    const { appProperties = about.appProperties } = old ?? {};
    const createdTime = old?.createdTime ?? new Date(this.now()).toISOString();
    const file = {
      id,
      ...about,
      parents,
      appProperties,
      bytes,
      owner,
      createdTime,
      trashed: false,
    };
    this.files.set(id, file);
    return file;
  }
}

function toUploaded({ id }: DriveFile) {
  return { id, webViewLink: `https://drive.google.com/file/d/${id}/view` };
}

function getContent(part: string): string {
  const at = part.indexOf("\r\n\r\n");
  return part.slice(at + 4).replace(/\r\n$/, "");
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}

interface ServiceAccount {
  email: string;
  publicKey: string;
}

/** Who may ask for access tokens, and which were given out. */
class FakeAccounts {
  readonly consent = new FakeConsent();
  private readonly serviceAccounts = new Map<string, ServiceAccount>();
  /** For whom service accounts may act, by domain-wide delegation. */
  readonly delegates = new Set<string>();
  private readonly refreshTokens = new Map<string, Grant>();
  private readonly tokens = new Map<string, Grant>();

  /** @returns the text of its key file. */
  addServiceAccount(name: string): string {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const email = `${name}@project.iam.gserviceaccount.com`;
    this.serviceAccounts.set(email, { email, publicKey });
    return JSON.stringify({
      type: "service_account",
      client_email: email,
      private_key: privateKey,
      token_uri: "https://oauth2.googleapis.com/token",
    });
  }

  /** @returns the refresh token of a user's consent to these scopes, by their names. */
  addUser(email: string, scopes = ["spreadsheets", "drive"]): string {
    const scope = scopes.map((name) => scopePrefix + name).join(" ");
    return this.createRefreshToken({ email, scope });
  }

  private createRefreshToken(grant: Grant): string {
    const token = `refresh-${this.refreshTokens.size}`;
    this.refreshTokens.set(token, grant);
    return token;
  }

  async grant(form: URLSearchParams) {
    if (form.get("grant_type") === "authorization_code") {
      const { isOffline, ...grant } = this.consent.redeem(form);
      const refresh_token = isOffline
        ? this.createRefreshToken(grant)
        : undefined;
      const { scope } = grant;
      return { ...this.createToken(grant), scope, refresh_token };
    }
    if (form.get("grant_type") !== "refresh_token")
      return this.createToken(await this.signer(form.get("assertion") ?? ""));
    const grant = this.refreshTokens.get(form.get("refresh_token") ?? "");
    if (grant === undefined)
      throw googleErrors.grant("Token has been expired or revoked.");
    return { ...this.createToken(grant), scope: grant.scope };
  }

  private createToken(grant: Grant) {
    const token = `access-${this.tokens.size}`;
    this.tokens.set(token, grant);
    return { access_token: token, expires_in: 3599, token_type: "Bearer" };
  }

  /** @returns the user of a token that has one of the scopes that the request needs. */
  authorize(authorization = "", method: string, path: string): string {
    const grant = this.tokens.get(authorization.replace("Bearer ", ""));
    if (grant === undefined) throw googleErrors.unauthenticated();
    const granted = grant.scope.split(" ");
    const accepted = listAcceptedScopes(method, path);
    if (!accepted.some((name) => granted.includes(scopePrefix + name)))
      throw googleErrors.scope();
    return grant.email;
  }

  isServiceAccount(email: string): boolean {
    return this.serviceAccounts.has(email);
  }

  private async signer(assertion: string): Promise<Grant> {
    for (const { email, publicKey } of this.serviceAccounts.values()) {
      const key = await importSPKI(publicKey, "RS256");
      const { payload } = await jwtVerify(assertion, key).catch(() => ({
        payload: null,
      }));
      if (payload?.iss !== email) continue;
      if (payload.sub !== undefined && !this.delegates.has(payload.sub))
        throw googleErrors.delegation();
      return { email: payload.sub ?? email, scope: String(payload.scope) };
    }
    throw googleErrors.grant("Invalid JWT Signature.");
  }
}

/** What a token allows, and in whose name. Scopes are separated by spaces. */
interface Grant {
  email: string;
  scope: string;
}

const scopePrefix = "https://www.googleapis.com/auth/";

/** The scopes of which the plugin's requests need one, without `drive.file`, which depends on the file. */
function listAcceptedScopes(method: string, path: string): string[] {
  const isSheet = path.startsWith("/v4/");
  const writing = isSheet ? ["drive", "spreadsheets"] : ["drive"];
  if (method !== "GET") return writing;
  return isSheet
    ? [...writing, "drive.readonly", "spreadsheets.readonly"]
    : [
        ...writing,
        "drive.readonly",
        "drive.metadata",
        "drive.metadata.readonly",
      ];
}

/** An authorization code, until it is redeemed. */
interface FakeCode {
  email: string;
  query: URLSearchParams;
  scope: string;
}

/** The page on which a person gives a client their consent, and the codes that it hands out. */
class FakeConsent {
  /** Whether Google leaves the refresh token out, as it does for a client that has one already. */
  hasRefreshTokenAlready = false;
  private readonly clients = new Map<string, Set<string>>();
  private readonly codes = new Map<string, FakeCode>();

  /** Registers a client. @returns its id and secret. */
  addClient(...redirectUris: string[]) {
    const clientId = `${this.clients.size}-platen.apps.googleusercontent.com`;
    this.clients.set(clientId, new Set(redirectUris));
    return { clientId, clientSecret: `GOCSPX-${clientId}` };
  }

  /** Shows the page, or sends the browser back with the answer that was given there. */
  answer(
    query: URLSearchParams,
    form: URLSearchParams,
    method: string,
  ): FakeReply {
    const redirectUri = query.get("redirect_uri") ?? "";
    const problem = this.findProblem(query);
    if (problem !== null)
      return { ...htmlPage(`<h1>Error 400: ${problem}</h1>`), status: 400 };
    if (method === "GET") return htmlPage(createConsentPage(query));
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (form.get("answer") !== "allow")
      back.searchParams.set("error", "access_denied");
    else {
      const code = `4/${randomUUID()}`;
      const email = form.get("email") ?? "";
      const scope = form.getAll("scope").join(" ");
      this.codes.set(code, { email, query, scope });
      back.searchParams.set("code", code);
      back.searchParams.set("scope", scope);
    }
    return { status: 302, body: null, headers: { location: back.href } };
  }

  private findProblem(query: URLSearchParams): string | null {
    const uris = this.clients.get(query.get("client_id") ?? "");
    if (!uris) return "invalid_client";
    if (!uris.has(query.get("redirect_uri") ?? ""))
      return "redirect_uri_mismatch";
    const isValid =
      query.get("response_type") === "code" &&
      query.get("code_challenge_method") === "S256" &&
      (query.get("code_challenge")?.length ?? 0) === 43 &&
      query.has("scope");
    return isValid ? null : "invalid_request";
  }

  /** A code works once, for its client, redirect URI and PKCE verifier. */
  redeem(form: URLSearchParams) {
    const id = form.get("client_id") ?? "";
    if (!this.clients.has(id) || form.get("client_secret") !== `GOCSPX-${id}`)
      throw googleErrors.client();
    const found = this.codes.get(form.get("code") ?? "");
    this.codes.delete(form.get("code") ?? "");
    if (!found || found.query.get("client_id") !== id)
      throw googleErrors.grant("Malformed auth code.");
    const { email, query, scope } = found;
    if (query.get("redirect_uri") !== form.get("redirect_uri"))
      throw googleErrors.redirect();
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (query.get("code_challenge") !== challenge)
      throw googleErrors.grant("Invalid code verifier.");
    const isOffline =
      query.get("access_type") === "offline" &&
      query.get("prompt") === "consent" &&
      !this.hasRefreshTokenAlready;
    return { email, scope, isOffline };
  }
}

interface ConsentAnswer {
  answer?: "allow" | "deny";
  email?: string;
  /** Those that the person allows; all by default. */
  scopes?: readonly string[];
}

/** Answers on Google's page, as a person does. @returns the query with which it sends the browser back. */
export async function answerConsent(
  page: string,
  { answer = "allow", email = "anna@example.com", scopes }: ConsentAnswer = {},
): Promise<URLSearchParams> {
  const asked = new URL(page).searchParams.get("scope") ?? "";
  const body = new URLSearchParams({ answer, email });
  for (const scope of scopes ?? asked.split(" ")) body.append("scope", scope);
  const init = { method: "POST", body, redirect: "manual" } as const;
  const response = await fetch(page, init);
  if (response.status === 302)
    return new URL(response.headers.get("location") ?? "").searchParams;
  throw new Error(await response.text());
}

function htmlPage(body: string): FakeReply {
  return { headers: { "content-type": "text/html; charset=UTF-8" }, body };
}

/** Each scope can be declined by itself. */
function createConsentPage(query: URLSearchParams): string {
  const scopes = (query.get("scope") ?? "")
    .split(" ")
    .map(
      (scope) =>
        `<label><input type="checkbox" name="scope" value="${scope}" checked> ${scope}</label>`,
    );
  return `<!doctype html><title>Sign in with Google</title><h1>Platen wants access</h1>
    <form method="post"><label>Email <input name="email"></label>${scopes.join("")}
    <button name="answer" value="allow">Allow</button><button name="answer" value="deny">Cancel</button></form>`;
}

export interface FakeSpreadsheet {
  id: string;
  title: string;
  timeZone: string;
  /** Who may see it. */
  users: Set<string>;
  /** Whether it is shared for reading only. */
  isViewOnly: boolean;
  sheets: FakeSheet[];
}

/** As Drive shows it. */
function toDriveFile({ id, title, isViewOnly }: FakeSpreadsheet) {
  return { id, name: title, capabilities: { canEdit: !isViewOnly } };
}

function findSheet({ sheets }: FakeSpreadsheet, range: string) {
  const place = parseRange(range);
  const sheet = sheets.find(({ title }) => title === place.title);
  if (!sheet) throw googleErrors.range(range);
  const { rowCount, columnCount } = sheet;
  if (place.from > rowCount || place.column >= columnCount)
    throw googleErrors.argument(
      `Range (${range}) exceeds grid limits. Max rows: ${rowCount}, max columns: ${columnCount}`,
    );
  return { sheet, place };
}

/** As `spreadsheets.values.batchGet` answers. */
function batchGet(spreadsheet: FakeSpreadsheet, query: URLSearchParams) {
  const valueRanges = query.getAll("ranges").map((range) => {
    const { sheet, place } = findSheet(spreadsheet, range);
    const values = sheet.values(place.from, place.to, place.column);
    // Of a range without any value, it has no `values`.
    return { range, ...(values.length > 0 && { values }) };
  });
  return { spreadsheetId: spreadsheet.id, valueRanges };
}

/** As `spreadsheets.get` answers: cells only where the fields name them. */
function show(spreadsheet: FakeSpreadsheet, query: URLSearchParams) {
  const { id: spreadsheetId, title, timeZone, sheets } = spreadsheet;
  const requested = query.getAll("ranges");
  const ranges = requested.map((range) => findSheet(spreadsheet, range));
  const hasData = (query.get("fields") ?? "").includes("data(");
  const shown =
    requested.length === 0
      ? sheets
      : [...new Set(ranges.map(({ sheet }) => sheet))];
  return {
    spreadsheetId,
    properties: { title, timeZone },
    sheets: shown.map((sheet) => ({
      properties: { title: sheet.title, sheetType: "GRID" },
      ...(hasData && {
        data: ranges
          .filter((one) => one.sheet === sheet)
          .map(({ place }) => sheet.gridData(place.from, place.to)),
      }),
    })),
  };
}

const manyUpdates = z.strictObject({
  valueInputOption: z.literal("RAW"),
  data: z.array(
    z.strictObject({
      range: z.string(),
      values: z.array(z.array(z.string()).length(1)).length(1),
    }),
  ),
});

/** As `spreadsheets.values.batchUpdate` does, of single cells: all or none. */
function batchUpdate(spreadsheet: FakeSpreadsheet, { body: bytes }: Call) {
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const read = manyUpdates.safeParse(body);
  if (!read.success)
    throw googleErrors.argument("Invalid JSON payload received.");
  const cells = read.data.data.map(({ range, values }) => ({
    ...findSheet(spreadsheet, range),
    value: values[0]?.[0] ?? "",
  }));
  for (const { sheet, place, value } of cells)
    sheet.set(place.from, place.column, value);
  return { spreadsheetId: spreadsheet.id };
}

/** A value, or one with what the sheet shows it as or calculates it from. */
type FakeCell =
  | string
  | number
  | boolean
  | null
  | {
      value: string | number | boolean;
      format?: string;
      pattern?: string;
      formula?: string;
    };

interface CellData {
  effectiveValue?: Record<string, unknown>;
  userEnteredValue?: Record<string, unknown>;
  effectiveFormat?: { numberFormat: { type: string; pattern?: string } };
}

const maxCellLength = 50_000;

/** One sheet of a spreadsheet. */
class FakeSheet {
  /** Rows and columns of the grid, if they are more than those with content. */
  gridSize: [rows: number, columns: number] = [1000, 26];

  constructor(
    readonly title: string,
    readonly rows: FakeCell[][],
  ) {}

  get rowCount(): number {
    return Math.max(this.gridSize[0], this.rows.length);
  }

  get columnCount(): number {
    return Math.max(this.gridSize[1], ...this.rows.map((row) => row.length));
  }

  /** As `values.get` shows them: what is empty at the ends is left out. */
  values(from: number, to: number, column = -1): unknown[][] {
    const rows = this.rows.slice(from - 1, to).map((row) => {
      const cells = column === -1 ? row : [row[column]];
      const values = cells.map((cell) => getValue(cell) ?? "");
      return values.slice(0, values.findLastIndex((value) => value !== "") + 1);
    });
    return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
  }

  /** As `includeGridData` shows them. */
  gridData(from: number, to: number) {
    const rowData = this.rows
      .slice(from - 1, to)
      .map((row) => ({ values: row.map(cellData) }));
    return { rowData };
  }

  set(row: number, column: number, value: FakeCell): void {
    if (String(getValue(value)).length > maxCellLength)
      throw googleErrors.argument(
        "Your input contains more than the maximum of 50000 characters in a single cell.",
      );
    while (this.rows.length < row) this.rows.push([]);
    const cells = this.rows[row - 1] ?? [];
    while (cells.length <= column) cells.push(null);
    cells[column] = value;
  }
}

function getValue(cell: FakeCell | undefined) {
  if (cell === undefined || cell === null) return null;
  return typeof cell === "object" ? cell.value : cell;
}

function cellData(cell: FakeCell): CellData {
  const value = getValue(cell);
  if (value === null || value === "") return {};
  const kind = `${typeof value === "boolean" ? "bool" : typeof value}Value`;
  const data: CellData = { effectiveValue: { [kind]: value } };
  if (typeof cell !== "object" || cell === null) return data;
  const { format: type, pattern, formula: formulaValue } = cell;
  if (type !== undefined)
    data.effectiveFormat = {
      numberFormat: { type, ...(pattern !== undefined && { pattern }) },
    };
  if (formulaValue !== undefined) data.userEnteredValue = { formulaValue };
  return data;
}

interface FakeRange {
  title: string;
  /** From 1. */
  from: number;
  to: number;
  /** From 0; -1 for all. */
  column: number;
}

/** `'Sheet'`, `'Sheet'!1:11`, `'Sheet'!B7` and `'Sheet'!B2:B`. */
function parseRange(range: string): FakeRange {
  const found =
    /^'((?:[^']|'')+)'(?:!(?:(\d+):(\d+)|([A-Z]+)(\d+)(:[A-Z]+)?))?$/.exec(
      range,
    );
  if (!found) throw googleErrors.range(range);
  const [, quoted = "", from, to, letters = "", row, end] = found;
  return {
    title: quoted.replaceAll("''", "'"),
    from: Number(row ?? from ?? 1),
    to: end === undefined ? Number(row ?? to ?? Infinity) : Infinity,
    column: parseColumn(letters),
  };
}

function parseColumn(letters: string): number {
  const numbers = Array.from(Buffer.from(letters), (code) => code - 64);
  return numbers.reduce((sum, number) => sum * 26 + number, 0) - 1;
}

/** As Google refuses. */
function refuse(
  code: number,
  status: string,
  message: string,
  reason?: string,
): FakeRefusal {
  const details = reason === undefined ? [] : [{ reason }];
  const errors = reason === undefined ? [] : [{ reason, message }];
  return new FakeRefusal(code, {
    error: { code, message, status, errors, details },
  });
}

const googleErrors = {
  backend: () =>
    refuse(503, "UNAVAILABLE", "The service is currently unavailable."),
  grant: (description: string) =>
    new FakeRefusal(400, {
      error: "invalid_grant",
      error_description: description,
    }),
  client: () =>
    new FakeRefusal(401, {
      error: "invalid_client",
      error_description: "The OAuth client was not found.",
    }),
  delegation: () =>
    new FakeRefusal(401, {
      error: "unauthorized_client",
      error_description:
        "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.",
    }),
  redirect: () =>
    new FakeRefusal(400, {
      error: "redirect_uri_mismatch",
      error_description: "Bad Request",
    }),
  unauthenticated: () =>
    refuse(
      401,
      "UNAUTHENTICATED",
      "Request had invalid authentication credentials.",
      "ACCESS_TOKEN_EXPIRED",
    ),
  scope: () =>
    refuse(
      403,
      "PERMISSION_DENIED",
      "Request had insufficient authentication scopes.",
      "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
    ),
  permission: () =>
    refuse(403, "PERMISSION_DENIED", "The caller does not have permission"),
  notFound: () => refuse(404, "NOT_FOUND", "Requested entity was not found."),
  range: (range: string) =>
    refuse(400, "INVALID_ARGUMENT", `Unable to parse range: ${range}`),
  argument: (message: string) => refuse(400, "INVALID_ARGUMENT", message),
  storage: (isServiceAccount: boolean) =>
    refuse(
      403,
      "PERMISSION_DENIED",
      isServiceAccount
        ? "Service Accounts do not have storage quota. Leverage shared drives, or use OAuth delegation instead."
        : "The user's Drive storage quota has been exceeded.",
      "storageQuotaExceeded",
    ),
  quota: (metric: string) =>
    refuse(
      429,
      "RESOURCE_EXHAUSTED",
      `Quota exceeded for quota metric '${metric} requests' and limit '${metric} requests per minute per user' of service 'sheets.googleapis.com'`,
      "RATE_LIMIT_EXCEEDED",
    ),
};
