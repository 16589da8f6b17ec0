import { createHash, timingSafeEqual } from "node:crypto";
import { type EntityManager, In, IsNull, LessThan, MoreThan } from "typeorm";
import type { Visitor, AssistantInfo } from "../views.js";
import { clock } from "../../lib/clock.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import {
  findForUpdate,
  insertRow,
  isId,
  Membership,
  newId,
  OauthClient,
  OauthGrant,
  OauthToken,
  Organization,
  type Store,
  User,
  STORE,
} from "../../storage/database/index.js";
import { LOG } from "../../lib/process-values.js";
import { Lifecycle, scoped, inject } from "../../lib/injection.js";
import {
  ACCESS_TOKEN_PREFIX,
  type Actor,
  findOrganization,
  hashOf,
  type KeyHolder,
  LastUsedTracker,
  recordAudit,
} from "../index.js";
import {
  findMembership,
  getRoleScopes,
  newToken,
  toStudioActor,
} from "../sessions/index.js";
import { unknownClient } from "./clients.js";
import {
  assertResource,
  getParameter,
  type OauthAddresses,
  OAuthError,
  parseScope,
  toScopes,
  OAUTH_ADDRESSES,
} from "./protocol.js";

const accessMs = 60 * 60_000;
/** A grant ends when its client does not refresh its tokens for so long. */
const idleMs = 30 * 24 * 60 * 60_000;
/** How long a grant that has ended is kept. */
const retentionMs = 30 * 24 * 60 * 60_000;

const prefixes = {
  code: "plc_",
  access: ACCESS_TOKEN_PREFIX,
  refresh: "plr_",
} as const;

/** Whether this is to be an access token, by its form, and not an API key. */
export function isAccessToken(token: string): boolean {
  return token.startsWith(prefixes.access);
}

/** Only the hash of the token is stored. */
export async function issueToken(
  tx: EntityManager,
  grant: Pick<OauthGrant, "id" | "scopes">,
  kind: OauthToken["kind"],
  lifeMs: number,
  code: Pick<OauthToken, "redirectUri" | "codeChallenge"> = {
    redirectUri: null,
    codeChallenge: null,
  },
): Promise<{ token: string }> {
  const token = prefixes[kind] + newToken();
  const now = clock.date();
  await insertRow(tx, OauthToken, {
    id: newId(),
    grantId: grant.id,
    kind,
    hash: hashOf(token),
    scopes: grant.scopes,
    ...code,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
    usedAt: null,
  });
  return { token };
}

/** Deletes tokens that have expired, and grants that ended long ago. */
export async function deleteEndedGrants(
  tx: EntityManager,
  now: Date,
): Promise<void> {
  await tx.delete(OauthToken, { expiresAt: LessThan(now) });
  const old = LessThan(new Date(now.getTime() - retentionMs));
  await tx.delete(OauthGrant, { expiresAt: old });
}

export interface GrantView extends AssistantInfo {
  organizationId: string;
}

interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** What people have allowed assistants, and the exchange of its tokens. */
@scoped(Lifecycle.ContainerScoped)
export class Grants {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(OAUTH_ADDRESSES) private readonly addresses: OauthAddresses,
  ) {}

  /** The token endpoint. @throws OAuthError. */
  async exchange(form: URLSearchParams): Promise<TokenAnswer> {
    const type = getParameter(form, "grant_type");
    const isCode = type === "authorization_code";
    if (!isCode && type !== "refresh_token")
      throw new OAuthError(
        type === null ? "invalid_request" : "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token.",
      );
    assertResource(form.getAll("resource"), this.addresses);
    const client = await this.#findClient(form);
    const token = requireParameter(form, isCode ? "code" : "refresh_token");
    const kind = isCode ? "code" : "refresh";
    const outcome = await this.store.unitOfWork.run(async (tx) => {
      const found = await findToken(tx, kind, token, client);
      if (found === null) return null;
      // Either its rightful owner or a thief is late. Nobody can tell which, so it ends for both.
      if (found.row.usedAt !== null) {
        const { grant } = found;
        await endGrant(tx, grant, toAssistantActor(grant), { reused: kind });
        return "used";
      }
      if (isCode) assertCode(found.row, form);
      return rotate(tx, found, isCode ? null : getParameter(form, "scope"));
    });
    if (outcome === null) throw invalidGrant(kind);
    if (outcome !== "used") return outcome;
    throw new OAuthError(
      "invalid_grant",
      `This ${kind === "code" ? "code" : "refresh token"} was used already, so the connection was ended. Connect again.`,
    );
  }

  /**
   * The revocation endpoint (RFC 7009). A refresh token takes its grant along; what is no token of ours is fine.
   * @throws OAuthError.
   */
  async revokeToken(form: URLSearchParams): Promise<void> {
    const token = requireParameter(form, "token");
    const isNamed = getParameter(form, "client_id") !== null;
    const client = isNamed ? await this.#findClient(form) : null;
    await this.store.unitOfWork.run(async (tx) => {
      const row = await tx.findOneBy(OauthToken, { hash: hashOf(token) });
      if (row === null || row.kind === "code") return;
      const grant = await findForUpdate(tx, OauthGrant, { id: row.grantId });
      if (grant === null) return;
      if (client !== null && grant.clientId !== client.id)
        throw new OAuthError(
          "invalid_grant",
          "The token was issued to another client.",
        );
      if (row.kind === "refresh")
        return endGrant(tx, grant, toAssistantActor(grant));
      await tx.update(OauthToken, { id: row.id }, { usedAt: clock.date() });
    });
  }

  /**
   * Those that are alive, the newest first.
   * @param userId those of this person alone.
   * @throws PlatenError `not_found` for the organization.
   */
  async list(organizationId: string, userId?: string): Promise<GrantView[]> {
    const { read } = this.store;
    await findOrganization(read, organizationId);
    const rows = await read.find(OauthGrant, {
      where: {
        organizationId,
        ...(userId !== undefined && { userId }),
        revokedAt: IsNull(),
        expiresAt: MoreThan(clock.date()),
      },
      order: { createdAt: "DESC", id: "DESC" },
    });
    const users = await read.findBy(User, {
      id: In(rows.map((row) => row.userId)),
    });
    const byId = new Map(users.map((user) => [user.id, user]));
    return rows.flatMap((row) => toGrantView(row, byId.get(row.userId)));
  }

  /**
   * Ends a grant with all its tokens; one that has ended stays as it is.
   * @param within limits it to those of an organization, or of a person in it; operators omit it.
   * @throws PlatenError `not_found`.
   */
  async revoke(
    id: string,
    actor: Actor,
    within: { organizationId?: string; userId?: string } = {},
  ): Promise<GrantView> {
    return this.store.unitOfWork.run(async (tx) => {
      const grant = isId(id)
        ? await findForUpdate(tx, OauthGrant, { id, ...within })
        : null;
      const user = grant && (await tx.findOneBy(User, { id: grant.userId }));
      const [view] = grant ? toGrantView(grant, user ?? undefined) : [];
      if (!grant || !view)
        throw new PlatenError(
          "not_found",
          `There is no connected assistant ${id}.`,
        );
      await endGrant(tx, grant, actor);
      return view;
    });
  }

  /** By someone who is signed in: owners end any of the organization, others their own. */
  revokeAs(visitor: Visitor, id: string): Promise<GrantView> {
    return this.revoke(id, toStudioActor(visitor), visibleTo(visitor));
  }

  listFor(visitor: Visitor): Promise<GrantView[]> {
    const { organizationId, userId } = visibleTo(visitor);
    return this.list(organizationId, userId);
  }

  /** Of these grants, those that have ended, or whose person was removed. */
  async findEnded(ids: readonly string[]): Promise<Set<string>> {
    const { read } = this.store;
    const rows = await read.findBy(OauthGrant, {
      id: In([...ids]),
      revokedAt: IsNull(),
      expiresAt: MoreThan(clock.date()),
    });
    const members = await read.findBy(Membership, {
      userId: In(rows.map(({ userId }) => userId)),
    });
    const places = new Set(
      members.map((one) => `${one.userId}/${one.organizationId}`),
    );
    const live = new Set(
      rows
        .filter((row) => places.has(`${row.userId}/${row.organizationId}`))
        .map(({ id }) => id),
    );
    return new Set(ids.filter((id) => !live.has(id)));
  }

  async #findClient(form: URLSearchParams): Promise<OauthClient> {
    const clientId = requireParameter(form, "client_id");
    const client = await this.store.read.findOneBy(OauthClient, { clientId });
    if (client === null) throw unknownClient();
    return client;
  }
}

function visibleTo({ organizationId, userId, role }: Visitor) {
  return { organizationId, ...(role !== "owner" && { userId }) };
}

interface FoundToken {
  row: OauthToken;
  grant: OauthGrant;
}

/** Locks a client's token and its grant; null when they are unknown or have ended. */
async function findToken(
  tx: EntityManager,
  kind: OauthToken["kind"],
  token: string,
  client: OauthClient,
): Promise<FoundToken | null> {
  const where = { hash: hashOf(token), kind };
  const known = await tx.findOneBy(OauthToken, where);
  if (known === null) return null;
  // Locks the grant first, in the same order as ending it does, so that the two cannot deadlock.
  const grant = await findForUpdate(tx, OauthGrant, { id: known.grantId });
  const row = await findForUpdate(tx, OauthToken, where);
  const now = clock.date();
  if (row === null || row.expiresAt <= now) return null;
  if (grant === null || grant.clientId !== client.id) return null;
  return isLiveGrant(grant, now) ? { row, grant } : null;
}

/** @throws OAuthError `invalid_grant` when it is not redeemed by whom it was issued to, and where it was sent. */
function assertCode(row: OauthToken, form: URLSearchParams): void {
  const redirectUri = getParameter(form, "redirect_uri");
  if (redirectUri !== null && redirectUri !== row.redirectUri)
    throw new OAuthError(
      "invalid_grant",
      "redirect_uri is not the one of the authorization request.",
    );
  const verifier = requireParameter(form, "code_verifier");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const isSame =
    challenge.length === row.codeChallenge?.length &&
    timingSafeEqual(Buffer.from(challenge), Buffer.from(row.codeChallenge));
  if (!isSame || !/^[\w.~-]{43,128}$/.test(verifier))
    throw new OAuthError(
      "invalid_grant",
      "code_verifier does not belong to the code_challenge of the authorization request.",
    );
}

/** Uses a code or refresh token up and issues the next tokens. @param scope narrower ones for the access token. */
async function rotate(
  tx: EntityManager,
  { row, grant }: FoundToken,
  scope: string | null,
): Promise<TokenAnswer> {
  const now = clock.date();
  const { userId, organizationId } = grant;
  if ((await findMembership(tx, userId, organizationId)) === null)
    throw invalidGrant(row.kind);
  const scopes = narrow(grant.scopes, scope);
  await assertNotTooOften(tx, grant, now);
  await tx.update(OauthToken, { id: row.id }, { usedAt: now });
  const expiresAt = new Date(now.getTime() + idleMs);
  await tx.update(OauthGrant, { id: grant.id }, { expiresAt });
  await tx.delete(OauthToken, {
    grantId: grant.id,
    expiresAt: LessThan(now),
  });
  const narrowed = { id: grant.id, scopes };
  const access = await issueToken(tx, narrowed, "access", accessMs);
  const refresh = await issueToken(tx, grant, "refresh", idleMs);
  return {
    access_token: access.token,
    token_type: "Bearer",
    expires_in: accessMs / 1000,
    refresh_token: refresh.token,
    scope: scopes.join(" "),
  };
}

const hourMs = 60 * 60_000;
const maxRefreshesPerHour = 120;

/** Used refresh tokens are kept, so their number has a bound. @throws PlatenError `busy`. */
async function assertNotTooOften(
  tx: EntityManager,
  { id: grantId }: OauthGrant,
  now: Date,
): Promise<void> {
  const recent = await tx.countBy(OauthToken, {
    grantId,
    kind: "refresh",
    createdAt: MoreThan(new Date(now.getTime() - hourMs)),
  });
  if (recent < maxRefreshesPerHour) return;
  throw new PlatenError(
    "busy",
    `More than ${maxRefreshesPerHour} refreshes in an hour. An access token is valid for an hour: use it until then.`,
    { retryAfterSeconds: 60 },
  );
}

/** @throws OAuthError `invalid_scope` for more than was granted. */
function narrow(granted: string[], scope: string | null): string[] {
  if (scope === null) return granted;
  const asked = parseScope(scope);
  const more = asked.filter((one) => !granted.includes(one));
  if (more.length === 0) return asked;
  throw new OAuthError(
    "invalid_scope",
    `The person has not allowed ${more.join(", ")}. Ask them anew at the authorization endpoint.`,
  );
}

function isLiveGrant(
  { revokedAt, expiresAt }: Pick<OauthGrant, "revokedAt" | "expiresAt">,
  now: Date,
): boolean {
  return revokedAt === null && expiresAt > now;
}

/** Ends a grant and notes it, unless it has ended already. */
async function endGrant(
  tx: EntityManager,
  grant: OauthGrant,
  actor: Actor,
  why: Record<string, string> = {},
): Promise<void> {
  const now = clock.date();
  if (!isLiveGrant(grant, now)) return;
  const { id, organizationId, name } = grant;
  await tx.update(OauthGrant, { id }, { revokedAt: now });
  await recordAudit(tx, actor, {
    organizationId,
    action: "assistant.revoked",
    subject: id,
    details: { name, ...why },
  });
}

function toAssistantActor({ id, userId }: OauthGrant): Actor {
  return { origin: "mcp", userId, keyId: id };
}

function toGrantView(row: OauthGrant, user: User | undefined): GrantView[] {
  if (user === undefined) return [];
  const { id, organizationId, name, redirectHost, scopes } = row;
  return [
    {
      id,
      organizationId,
      user: { id: user.id, name: user.name, email: user.email },
      name,
      redirectHost,
      scopes,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      expiresAt: row.expiresAt.toISOString(),
    },
  ];
}

function requireParameter(form: URLSearchParams, name: string): string {
  const value = getParameter(form, name);
  if (value !== null) return value;
  throw new OAuthError("invalid_request", `${name} is missing.`);
}

function invalidGrant(kind: OauthToken["kind"]): OAuthError {
  const what = kind === "code" ? "code" : "refresh token";
  return new OAuthError(
    "invalid_grant",
    `This ${what} is unknown, has expired, or its connection was ended. Connect again.`,
  );
}

/** Nothing is kept in memory, so that what ends, ends at once everywhere. */
@scoped(Lifecycle.ContainerScoped)
export class AccessTokens {
  readonly #lastUse: LastUsedTracker;

  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(LOG) log: Log,
  ) {
    this.#lastUse = new LastUsedTracker(store, log, OauthGrant);
  }

  /** @throws OAuthError `invalid_token` for one that is unknown, has expired or was revoked. */
  async authenticate(token: string): Promise<KeyHolder> {
    const { read } = this.store;
    const now = clock.date();
    const where = { hash: hashOf(token), kind: "access" } as const;
    const row = await read.findOneBy(OauthToken, where);
    if (row === null || row.usedAt !== null || row.expiresAt <= now)
      throw invalidToken();
    const grant = await read.findOneBy(OauthGrant, { id: row.grantId });
    if (grant === null || !isLiveGrant(grant, now)) throw invalidToken();
    const { userId, organizationId } = grant;
    const member = await findMembership(read, userId, organizationId);
    if (member === null) throw invalidToken();
    const { plan } = await read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    const permitted = getRoleScopes(member.role);
    this.#lastUse.note(grant.id);
    return {
      organizationId,
      plan,
      userId,
      keyId: grant.id,
      scopes: toScopes(row.scopes).filter((one) => permitted.includes(one)),
      requestsPerMinute: null,
      isAssistant: true,
    };
  }
}

function invalidToken(): OAuthError {
  return new OAuthError(
    "invalid_token",
    "The access token is unknown, has expired or was revoked. Refresh it, or connect again.",
  );
}
