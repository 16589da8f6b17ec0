import { createHash } from "node:crypto";
import {
  type EntityManager,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThan,
  MoreThan,
  Not,
} from "typeorm";
import type { Visitor, AssistantInfo } from "../views.js";
import { clock } from "../../lib/clock.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import {
  findForUpdate,
  insertRow,
  isId,
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
  requireParameter,
  OAUTH_ADDRESSES,
} from "./protocol.js";

const dayMs = 24 * 60 * 60_000;
export const lifeMs = {
  /** Browsers ask before they open a program on the device, and people may be slow to answer. */
  code: 5 * 60_000,
  access: 60 * 60_000,
  /** A grant ends when its client does not refresh its tokens for so long. */
  refresh: 30 * dayMs,
};
/** How long a grant that has ended is kept. */
const retentionMs = 30 * dayMs;

const prefixes = {
  code: "plc_",
  access: ACCESS_TOKEN_PREFIX,
  refresh: "plr_",
} as const;

/** Whether this is to be an access token, by its form, and not an API key. */
export function isAccessToken(token: string): boolean {
  return token.startsWith(prefixes.access);
}

/** @returns the token, of which only the hash is stored. */
export async function issueToken(
  tx: EntityManager,
  { id: grantId, scopes }: Pick<OauthGrant, "id" | "scopes">,
  kind: OauthToken["kind"],
  code: Partial<Pick<OauthToken, "redirectUri" | "codeChallenge">> = {},
): Promise<string> {
  const token = prefixes[kind] + newToken();
  const now = clock.date();
  await insertRow(tx, OauthToken, {
    id: newId(),
    grantId,
    kind,
    hash: hashOf(token),
    scopes,
    redirectUri: null,
    codeChallenge: null,
    ...code,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs[kind]),
    usedAt: null,
  });
  return token;
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

/** What people have allowed assistants, and its tokens. Nothing is kept in memory: what ends, ends at once everywhere. */
@scoped(Lifecycle.ContainerScoped)
export class Grants {
  readonly #lastUse: LastUsedTracker;

  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(OAUTH_ADDRESSES) private readonly addresses: OauthAddresses,
    @inject(LOG) log: Log,
  ) {
    this.#lastUse = new LastUsedTracker(store, log, OauthGrant);
  }

  /** The token endpoint. @throws OAuthError. */
  async exchange(form: URLSearchParams) {
    const type = getParameter(form, "grant_type");
    const isCode = type === "authorization_code";
    if (!isCode && type !== "refresh_token")
      throw new OAuthError(
        type === null ? "invalid_request" : "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token.",
      );
    assertResource(form.getAll("resource"), this.addresses);
    const clientId = await this.#findClient(form);
    const token = requireParameter(form, isCode ? "code" : "refresh_token");
    const kind = isCode ? "code" : "refresh";
    const answer = await this.store.unitOfWork.run(async (tx) => {
      const lockedToken = await lockToken(
        tx,
        { hash: hashOf(token), kind, expiresAt: MoreThan(clock.date()) },
        { clientId, ...alive() },
      );
      if (lockedToken === null) return invalidGrant(kind);
      const { row, grant } = lockedToken;
      // Either its rightful owner or a thief is late. Nobody can tell which, so it ends for both.
      if (row.usedAt !== null) {
        await endGrant(tx, grant, toAssistantActor(grant), { reused: kind });
        return invalidGrant(
          kind,
          "was used already, so the connection was ended",
        );
      }
      if (isCode) assertCode(row, form);
      return rotate(
        tx,
        lockedToken,
        isCode ? null : getParameter(form, "scope"),
      );
    });
    if (answer instanceof OAuthError) throw answer;
    return answer;
  }

  /**
   * The revocation endpoint (RFC 7009). A refresh token takes its grant along; what is no token of ours is fine.
   * @throws OAuthError.
   */
  async revokeToken(form: URLSearchParams): Promise<void> {
    const hash = hashOf(requireParameter(form, "token"));
    const isNamed = getParameter(form, "client_id") !== null;
    const clientId = isNamed ? await this.#findClient(form) : null;
    await this.store.unitOfWork.run(async (tx) => {
      const lockedToken = await lockToken(tx, { hash, kind: Not("code") });
      if (lockedToken === null) return;
      const { row, grant } = lockedToken;
      if (clientId !== null && grant.clientId !== clientId)
        throw new OAuthError(
          "invalid_grant",
          "The token was issued to another client.",
        );
      if (row.kind === "refresh")
        return endGrant(tx, grant, toAssistantActor(grant));
      await tx.update(OauthToken, { id: row.id }, { usedAt: clock.date() });
    });
  }

  /** The holder of an access token. @throws OAuthError `invalid_token` for one that is unknown, has expired or was revoked. */
  async authenticate(token: string): Promise<KeyHolder> {
    const { read } = this.store;
    const row = await read.findOneBy(OauthToken, {
      hash: hashOf(token),
      kind: "access",
      usedAt: IsNull(),
      expiresAt: MoreThan(clock.date()),
    });
    if (row === null) throw invalidToken();
    const { grantId: id, scopes } = row;
    const grant = await read.findOneBy(OauthGrant, { id, ...alive() });
    if (grant === null) throw invalidToken();
    const { userId, organizationId } = grant;
    const member = await findMembership(read, userId, organizationId);
    if (member === null) throw invalidToken();
    const { plan } = await read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    this.#lastUse.note(id);
    return {
      organizationId,
      plan,
      userId,
      keyId: id,
      scopes: getRoleScopes(member.role).filter((scope) =>
        scopes.includes(scope),
      ),
      requestsPerMinute: null,
      isAssistant: true,
    };
  }

  /**
   * Those of an organization, or of a person in it, that are alive, the newest first.
   * @throws PlatenError `not_found` for the organization.
   */
  async list(of: {
    organizationId: string;
    userId?: string;
  }): Promise<GrantView[]> {
    const { read } = this.store;
    await findOrganization(read, of.organizationId);
    const rows = await read.find(OauthGrant, {
      where: { ...of, ...alive() },
      order: { createdAt: "DESC", id: "DESC" },
    });
    const users = await read.findBy(User, {
      id: In(rows.map((row) => row.userId)),
    });
    const byId = new Map(users.map((user) => [user.id, user]));
    return rows.flatMap((row) => {
      const user = byId.get(row.userId);
      return user === undefined ? [] : [toGrantView(row, user)];
    });
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
      if (grant === null)
        throw new PlatenError(
          "not_found",
          `There is no connected assistant ${id}.`,
        );
      await endGrant(tx, grant, actor);
      const { userId } = grant;
      return toGrantView(grant, await tx.findOneByOrFail(User, { id: userId }));
    });
  }

  /** By someone who is signed in: owners end any of the organization, others their own. */
  revokeAs(visitor: Visitor, id: string): Promise<GrantView> {
    return this.revoke(id, toStudioActor(visitor), visibleTo(visitor));
  }

  listFor(visitor: Visitor): Promise<GrantView[]> {
    return this.list(visibleTo(visitor));
  }

  /** Of these grants, those that have ended. */
  async findEnded(ids: readonly string[]): Promise<Set<string>> {
    const where = { id: In([...ids]), ...alive() };
    const rows = await this.store.read.findBy(OauthGrant, where);
    const live = new Set(rows.map(({ id }) => id));
    return new Set(ids.filter((id) => !live.has(id)));
  }

  /** @returns the id of the client's row. */
  async #findClient(form: URLSearchParams): Promise<string> {
    const clientId = requireParameter(form, "client_id");
    const client = await this.store.read.findOneBy(OauthClient, { clientId });
    if (client === null) throw unknownClient();
    return client.id;
  }
}

/** What is true of a grant that has not ended. */
const alive = () => ({
  revokedAt: IsNull(),
  expiresAt: MoreThan(clock.date()),
});

function visibleTo({ organizationId, userId, role }: Visitor) {
  return { organizationId, ...(role !== "owner" && { userId }) };
}

interface FoundToken {
  row: OauthToken;
  grant: OauthGrant;
}

/** Locks a token and its grant; null when either does not match. */
async function lockToken(
  tx: EntityManager,
  token: FindOptionsWhere<OauthToken>,
  ofGrant: FindOptionsWhere<OauthGrant> = {},
): Promise<FoundToken | null> {
  const candidate = await tx.findOneBy(OauthToken, token);
  if (candidate === null) return null;
  // Locks the grant first, in the same order as ending it does, so that the two cannot deadlock.
  const where = { ...ofGrant, id: candidate.grantId };
  const grant = await findForUpdate(tx, OauthGrant, where);
  const row = await findForUpdate(tx, OauthToken, token);
  return row && grant && { row, grant };
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
  if (challenge !== row.codeChallenge || !/^[\w.~-]{43,128}$/.test(verifier))
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
) {
  const now = clock.date();
  const { userId, organizationId } = grant;
  if ((await findMembership(tx, userId, organizationId)) === null)
    throw invalidGrant(row.kind);
  const scopes = narrow(grant.scopes, scope);
  await assertNotTooOften(tx, grant, now);
  await tx.update(OauthToken, { id: row.id }, { usedAt: now });
  const expiresAt = new Date(now.getTime() + lifeMs.refresh);
  await tx.update(OauthGrant, { id: grant.id }, { expiresAt });
  await tx.delete(OauthToken, {
    grantId: grant.id,
    expiresAt: LessThan(now),
  });
  return {
    access_token: await issueToken(tx, { id: grant.id, scopes }, "access"),
    token_type: "Bearer",
    expires_in: lifeMs.access / 1000,
    refresh_token: await issueToken(tx, grant, "refresh"),
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
  const requested = scope === null ? granted : parseScope(scope);
  const more = requested.filter(
    (requestedScope) => !granted.includes(requestedScope),
  );
  if (more.length === 0) return requested;
  throw new OAuthError(
    "invalid_scope",
    `The person has not allowed ${more.join(", ")}. Ask them anew at the authorization endpoint.`,
  );
}

/** Ends a grant and notes it, unless it has ended already. */
async function endGrant(
  tx: EntityManager,
  grant: OauthGrant,
  actor: Actor,
  why: Record<string, string> = {},
): Promise<void> {
  const { id, organizationId, name } = grant;
  const revokedAt = clock.date();
  const ended = await tx.update(OauthGrant, { id, ...alive() }, { revokedAt });
  if (ended.affected !== 1) return;
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

function toGrantView(row: OauthGrant, user: User): GrantView {
  const { id, organizationId, name, redirectHost, scopes } = row;
  return {
    id,
    organizationId,
    user: { id: user.id, name: user.name, email: user.email },
    name,
    redirectHost,
    scopes,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
  };
}

function invalidGrant(
  kind: OauthToken["kind"],
  why = "is unknown, has expired, or its connection was ended",
): OAuthError {
  const what = kind === "code" ? "code" : "refresh token";
  return new OAuthError("invalid_grant", `This ${what} ${why}. Connect again.`);
}

function invalidToken(): OAuthError {
  return new OAuthError(
    "invalid_token",
    "The access token is unknown, has expired or was revoked. Refresh it, or connect again.",
  );
}
