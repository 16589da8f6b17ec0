import { LRUCache } from "lru-cache";
import { type EntityManager, In, LessThan } from "typeorm";
import { z } from "zod";
import { clock } from "../../lib/clock.js";
import { Outbound } from "../../lib/outbound/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  insertRow,
  newId,
  OauthClient,
  OauthGrant,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { Lifecycle, scoped, inject } from "../../lib/injection.js";
import { OAuthError } from "./protocol.js";

/** The answer to a registration (RFC 7591). */
export type RegisteredClient = ReturnType<typeof toRegisteredClient>;

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

/** The maximum number of clients without a grant, since anybody can register clients; the oldest are deleted. */
const maxUnusedClients = 1000;
const unusedMs = 30 * 24 * 60 * 60_000;

/** The programs that may ask people for access. */
@scoped(Lifecycle.ContainerScoped)
export class Clients {
  readonly #documents: MetadataDocuments;

  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(Outbound) outbound: Pick<Outbound, "fetch">,
  ) {
    this.#documents = new MetadataDocuments(outbound);
  }

  /** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`. */
  async register(metadata: unknown): Promise<RegisteredClient> {
    const { name, redirectUris } = parseMetadata(metadata);
    const id = newId();
    const row: OauthClient = {
      id,
      clientId: id,
      name,
      redirectUris,
      createdAt: clock.date(),
    };
    await this.store.unitOfWork.run(async (tx) => {
      await insertRow(tx, OauthClient, row);
      await deleteUnusedClients(tx);
    });
    return toRegisteredClient(row);
  }

  /** @throws OAuthError `invalid_client` for an unknown one, or one whose metadata document cannot be used. */
  async describe(clientId: string): Promise<ClientDescription> {
    if (isDocumentUrl(clientId)) return this.#documents.read(clientId);
    const row = await this.store.read.findOneBy(OauthClient, { clientId });
    if (row === null || URL.canParse(clientId)) throw unknownClient();
    const { name, redirectUris } = row;
    return { clientId, name, redirectUris, verifiedHost: null };
  }
}

export function unknownClient(): OAuthError {
  return new OAuthError(
    "invalid_client",
    "Unknown client_id. Remove the connection in the assistant and add it again, so that it registers anew.",
  );
}

function toRegisteredClient(row: OauthClient) {
  return {
    client_id: row.clientId,
    client_id_issued_at: Math.floor(row.createdAt.getTime() / 1000),
    client_name: row.name,
    redirect_uris: row.redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
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

/** Deletes clients without a grant: old ones, and the oldest of too many. */
async function deleteUnusedClients(tx: EntityManager): Promise<void> {
  const unused = () =>
    tx
      .createQueryBuilder(OauthClient, "client")
      .select("client.id", "id")
      .where(
        `NOT EXISTS ${tx
          .createQueryBuilder()
          .subQuery()
          .select("1")
          .from(OauthGrant, "used")
          .where("used.client_id = client.id")
          .getQuery()}`,
      );
  const old = await unused()
    .andWhere({ createdAt: LessThan(new Date(clock.now() - unusedMs)) })
    .limit(maxUnusedClients)
    .getRawMany<{ id: string }>();
  const tooMany = await unused()
    .orderBy("client.created_at", "DESC")
    .offset(maxUnusedClients)
    .limit(maxUnusedClients)
    .getRawMany<{ id: string }>();
  const ids = [...old, ...tooMany].map(({ id }) => id);
  if (ids.length > 0) await tx.delete(OauthClient, { id: In(ids) });
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
function parseMetadata(metadata: unknown): {
  name: string;
  redirectUris: string[];
} {
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
  const { redirect_uris: redirectUris, client_name: told = "" } = result.data;
  for (const uri of redirectUris) assertRedirectUri(uri);
  const name = toShownName(told);
  const [first = ""] = redirectUris;
  return { name: name === "" ? getShownHost(first) : name, redirectUris };
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
  const asked = toLoopback(uri);
  return (
    asked !== null && redirectUris.some((one) => toLoopback(one) === asked)
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

/** Where a redirect leads, as people are shown it: a host, or the scheme of a program on their device. */
export function getShownHost(uri: string): string {
  const url = new URL(uri);
  return /^https?:$/.test(url.protocol)
    ? url.hostname
    : url.protocol.replace(/:$/, "");
}

/** Whether a redirect leads to a program on the person's own device. */
export function isLocalRedirect(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== "https:" || loopbackHosts.includes(hostname);
}

const documentTimeoutMs = 5000;
const maxDocumentBytes = 16_384;
const documentTtlMs = 5 * 60_000;
const maxClientIdLength = 500;

/** A client_id that is the URL of a client ID metadata document: https, with a path, and written in one way only. */
function isDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith("https://") || clientId.length > maxClientIdLength)
    return false;
  const url = URL.canParse(clientId) ? new URL(clientId) : null;
  return (
    url !== null &&
    url.href === clientId &&
    url.pathname !== "/" &&
    url.username === "" &&
    url.password === "" &&
    !clientId.includes("#")
  );
}

const documentSchema = z.object({
  client_id: z.string(),
  token_endpoint_auth_method: z.string().optional(),
  client_secret: z.never().optional(),
});

/** Clients that describe themselves at the URL that is their id. Fetched for signed-in people alone. */
class MetadataDocuments {
  readonly #known = new LRUCache<string, ClientDescription>({
    max: 200,
    ttl: documentTtlMs,
  });

  constructor(private readonly outbound: Pick<Outbound, "fetch">) {}

  /** @throws OAuthError `invalid_client`, saying what is wrong with the document. */
  async read(clientId: string): Promise<ClientDescription> {
    const known = this.#known.get(clientId);
    if (known) return known;
    const metadata = await this.#fetch(clientId);
    const told = documentSchema.safeParse(metadata);
    if (!told.success || told.data.client_id !== clientId)
      throw invalidDocument(clientId, "it does not name itself as client_id");
    const { token_endpoint_auth_method: method = "none" } = told.data;
    if (method !== "none")
      throw invalidDocument(
        clientId,
        `it asks for token_endpoint_auth_method ${JSON.stringify(method.slice(0, 60))}, and only "none" is supported`,
      );
    const { hostname: verifiedHost } = new URL(clientId);
    try {
      const description = {
        clientId,
        ...parseMetadata(metadata),
        verifiedHost,
      };
      this.#known.set(clientId, description);
      return description;
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      throw invalidDocument(clientId, error.message.replace(/\.$/, ""));
    }
  }

  async #fetch(clientId: string): Promise<unknown> {
    try {
      const { status, body } = await this.outbound.fetch(clientId, {
        headers: { accept: "application/json" },
        timeoutMs: documentTimeoutMs,
        maxBytes: maxDocumentBytes,
      });
      if (status !== 200)
        throw invalidDocument(clientId, `its status is ${status}`);
      const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
      const metadata: unknown = JSON.parse(text);
      return metadata;
    } catch (error) {
      if (error instanceof OAuthError) throw error;
      const why =
        error instanceof PlatenError
          ? error.message.replace(/\.$/, "")
          : "it is not JSON";
      throw invalidDocument(clientId, why, error);
    }
  }
}

function invalidDocument(
  clientId: string,
  why: string,
  cause?: unknown,
): OAuthError {
  const { hostname } = new URL(clientId);
  return new OAuthError(
    "invalid_client",
    `The description of this client at ${hostname} cannot be used: ${why}.`,
    { cause },
  );
}
