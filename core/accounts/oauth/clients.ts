import { LRUCache } from "lru-cache";
import type { EntityManager } from "typeorm";
import { z } from "zod";
import { clock } from "../../lib/clock.js";
import { Outbound } from "../../lib/outbound/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  insertRow,
  newId,
  OauthClient,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { Lifecycle, scoped, inject } from "../../lib/injection.js";
import { OAuthError } from "./protocol.js";

export interface ClientDescription {
  clientId: string;
  name: string;
  redirectUris: string[];
  /**
   * The host of its metadata document, which proves that the owner of that host has written it; null for a client that
   * has registered itself, of which nothing is proven.
   */
  verifiedHost: string | null;
}

const documentTimeoutMs = 5000;
const maxDocumentBytes = 16_384;
const documentTtlMs = 5 * 60_000;

/** The programs that may ask people for access: they register, or describe themselves at the URL that is their id. */
@scoped(Lifecycle.ContainerScoped)
export class Clients {
  readonly #documents = new LRUCache<string, ClientDescription>({
    max: 200,
    ttl: documentTtlMs,
  });

  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(Outbound) private readonly outbound: Pick<Outbound, "fetch">,
  ) {}

  /**
   * @returns the answer to a registration (RFC 7591).
   * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`.
   */
  async register(metadata: unknown) {
    const id = newId();
    const createdAt = clock.date();
    const { name, redirectUris } = parseMetadata(metadata);
    await this.store.unitOfWork.run(async (tx) => {
      const row = { id, clientId: id, name, redirectUris, createdAt };
      await insertRow(tx, OauthClient, row);
      await deleteUnusedClients(tx);
    });
    return {
      client_id: id,
      client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  /**
   * For signed-in people alone, since it may fetch a document.
   * @throws OAuthError `invalid_client` for an unknown one, or one whose metadata document cannot be used.
   */
  async describe(clientId: string): Promise<ClientDescription> {
    if (isDocumentUrl(clientId)) return this.#readDocument(clientId);
    const row = await this.store.read.findOneBy(OauthClient, { clientId });
    if (row === null || URL.canParse(clientId)) throw unknownClient();
    const { name, redirectUris } = row;
    return { clientId, name, redirectUris, verifiedHost: null };
  }

  async #readDocument(clientId: string): Promise<ClientDescription> {
    const cached = this.#documents.get(clientId);
    if (cached) return cached;
    const { hostname: verifiedHost } = new URL(clientId);
    try {
      const { status, body } = await this.outbound.fetch(clientId, {
        headers: { accept: "application/json" },
        timeoutMs: documentTimeoutMs,
        maxBytes: maxDocumentBytes,
      });
      const document = parseDocument(clientId, status, body);
      const description = { clientId, ...document, verifiedHost };
      this.#documents.set(clientId, description);
      return description;
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      throw new OAuthError(
        "invalid_client",
        `The description of this client at ${verifiedHost} cannot be used: ${error.message}`,
        { cause: error },
      );
    }
  }
}

export function unknownClient(): OAuthError {
  return new OAuthError(
    "invalid_client",
    "Unknown client_id. Remove the connection in the assistant and add it again, so that it registers anew.",
  );
}

/** The row of a client that was described a moment ago. @throws OAuthError `invalid_client` for one that was deleted since. */
export async function keepClient(
  tx: EntityManager,
  { clientId, name, redirectUris, verifiedHost }: ClientDescription,
): Promise<OauthClient> {
  if (verifiedHost !== null) {
    const createdAt = clock.date();
    await tx
      .createQueryBuilder()
      .insert()
      .into(OauthClient)
      .values({ id: newId(), clientId, name, redirectUris, createdAt })
      .orUpdate(["name", "redirect_uris"], ["client_id"])
      .updateEntity(false)
      .execute();
  }
  const row = await tx.findOneBy(OauthClient, { clientId });
  if (row === null) throw unknownClient();
  return row;
}

/** The maximum number of clients without a grant, since anybody can register clients; the oldest are deleted. */
const maxUnusedClients = 1000;
const unusedMs = 30 * 24 * 60 * 60_000;

/** Deletes clients without a grant: old ones, and the oldest of too many. */
async function deleteUnusedClients(tx: EntityManager): Promise<void> {
  const isUnused =
    "NOT EXISTS (SELECT 1 FROM oauth_grant WHERE oauth_grant.client_id = oauth_client.id)";
  const tooMany = await tx
    .createQueryBuilder(OauthClient, "oauth_client")
    .where(isUnused)
    .orderBy("oauth_client.createdAt", "DESC")
    .offset(maxUnusedClients)
    .limit(1)
    .getOne();
  const old = new Date(clock.now() - unusedMs);
  const end = tooMany && tooMany.createdAt > old ? tooMany.createdAt : old;
  await tx
    .createQueryBuilder()
    .delete()
    .from(OauthClient)
    .where(isUnused)
    .andWhere("created_at <= :end", { end })
    .execute();
}

const maxRedirectUris = 20;
const maxNameLength = 100;

const metadataSchema = z.object({
  redirect_uris: z
    .array(z.string(), "must be a list of URLs")
    .min(1, "must contain at least one URL")
    .max(maxRedirectUris, `must contain at most ${maxRedirectUris} URLs`),
  client_name: z.string("must be a string").optional(),
  grant_types: z
    .array(z.string(), "must be a list")
    .refine(
      (types) => types.includes("authorization_code"),
      "must include authorization_code",
    )
    .optional(),
  response_types: z
    .array(z.string(), "must be a list")
    .refine((types) => types.includes("code"), "must include code")
    .optional(),
});

/** What registered clients and metadata documents have in common. @throws OAuthError. */
function parseMetadata(metadata: unknown) {
  const result = metadataSchema.safeParse(metadata);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path[0];
    throw new OAuthError(
      field === "redirect_uris"
        ? "invalid_redirect_uri"
        : "invalid_client_metadata",
      field === undefined
        ? "The client's metadata must be a JSON object."
        : `${String(field)} ${issue?.message ?? "is invalid"}.`,
    );
  }
  const { redirect_uris: redirectUris, client_name: clientName = "" } =
    result.data;
  for (const uri of redirectUris) assertRedirectUri(uri);
  const [first = ""] = redirectUris;
  const name = toShownName(clientName) || describeRedirect(first).redirectHost;
  return { name, redirectUris };
}

/** Without what would disguise it: control characters, and those that turn or hide text. */
function toShownName(name: string): string {
  const visible = name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return visible.slice(0, maxNameLength).replace(/[\uD800-\uDBFF]$/, "");
}

const maxRedirectUriLength = 1000;
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/** Schemes that browsers and systems handle themselves, so that they lead to no program of the client's. */
const foreignSchemes = [
  "about:",
  "blob:",
  "chrome:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "intent:",
  "javascript:",
  "mailto:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
];

/**
 * https anywhere; http on the person's own machine; or a scheme of the client's own, such as `cursor://…` or
 * `com.example.app:/…`.
 * @throws OAuthError `invalid_redirect_uri`.
 */
function assertRedirectUri(uri: string): void {
  const isPlain = /^[\x21-\x7e]+$/.test(uri) && !/["'<>\\^`{|}]/.test(uri);
  const url = isPlain && URL.canParse(uri) ? new URL(uri) : null;
  const isUsable =
    url !== null &&
    uri.length <= maxRedirectUriLength &&
    !uri.includes("#") &&
    url.username === "" &&
    url.password === "" &&
    (url.protocol === "https:" ||
      (url.protocol === "http:" && loopbackHosts.includes(url.hostname)) ||
      isOwnScheme(url, uri));
  if (!isUsable)
    throw new OAuthError(
      "invalid_redirect_uri",
      `${JSON.stringify(uri.slice(0, 200))} cannot be a redirect URI: use https, http on localhost, or a scheme of the app's own, without a fragment, user or password.`,
    );
}

function isOwnScheme({ protocol, host }: URL, uri: string): boolean {
  if (["https:", "http:", ...foreignSchemes].includes(protocol)) return false;
  return protocol.includes(".") || (uri.includes("://") && host !== "");
}

/**
 * Whether a client may be answered at this address. They are compared letter by letter; only the port of this machine
 * may differ, which a program on it chooses anew each time (RFC 8252).
 */
export function isRedirectUriOf(
  { redirectUris }: Pick<ClientDescription, "redirectUris">,
  uri: string,
): boolean {
  if (redirectUris.includes(uri)) return true;
  const loopbackUri = toLoopback(uri);
  return (
    loopbackUri !== null &&
    redirectUris.some((redirectUri) => toLoopback(redirectUri) === loopbackUri)
  );
}

/** The address without its port; null for one that is not on this machine. */
function toLoopback(uri: string): string | null {
  const match =
    /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/[^#]*)?$/.exec(
      uri,
    );
  return match && `${match[1]}${match[2] ?? "/"}`;
}

/** Where a redirect leads, as people are shown it. */
export function describeRedirect(uri: string) {
  const { protocol, hostname } = new URL(uri);
  return {
    /** A host, or the scheme of a program on their device. */
    redirectHost: /^https?:$/.test(protocol) ? hostname : protocol.slice(0, -1),
    /** Whether that is a program on their own device. */
    isLocal: protocol !== "https:" || loopbackHosts.includes(hostname),
  };
}

const maxClientIdLength = 500;

/** A client_id that is the URL of a client ID metadata document: https, with a path, and written in one way only. */
function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > maxClientIdLength || !URL.canParse(clientId))
    return false;
  const { href, host, pathname } = new URL(clientId);
  return (
    clientId.startsWith(`https://${host}/`) &&
    href === clientId &&
    pathname !== "/" &&
    !clientId.includes("#")
  );
}

const documentSchema = z.object({
  client_id: z.string(),
  token_endpoint_auth_method: z.string().optional(),
  client_secret: z.never().optional(),
});

const refuse = (why: string) => new OAuthError("invalid_client", `${why}.`);

/** @throws OAuthError that says what is wrong with the document. */
function parseDocument(clientId: string, status: number, body: Buffer) {
  if (status !== 200) throw refuse(`its status is ${status}`);
  let metadata: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    metadata = JSON.parse(text);
  } catch {
    throw refuse("it is not JSON");
  }
  const parsed = documentSchema.safeParse(metadata);
  if (!parsed.success || parsed.data.client_id !== clientId)
    throw refuse("it does not name itself as client_id");
  const { token_endpoint_auth_method: method = "none" } = parsed.data;
  if (method !== "none")
    throw refuse(
      `it asks for token_endpoint_auth_method ${JSON.stringify(method.slice(0, 60))}, and only "none" is supported`,
    );
  return parseMetadata(metadata);
}
