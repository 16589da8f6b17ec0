import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type EntityManager, IsNull, LessThan, Not } from "typeorm";
import {
  type UserProfile,
  type Visitor,
  type Guide,
  GUIDES,
  type NewSession,
  type SessionInfo,
  type KeyInfo,
  type MemberRole,
} from "../views.js";
import { clock } from "../../lib/clock.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import {
  findForUpdate,
  insertRow,
  newId,
  Organization,
  Session,
  type Store,
  User,
  STORE,
} from "../../storage/database/index.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import { LOG, CONFIG } from "../../lib/process-values.js";
import {
  type Caller,
  hashOf,
  recordAudit,
  type Actor,
  ApiKeys,
  type ApiKeyView,
  SCOPES,
  type Scope,
} from "../index.js";
import { type Member, findMembership, listMemberships } from "./members.js";

const SESSION_TIMES = createToken<SessionTimes>("SessionTimes");
provide(SESSION_TIMES, (c) => {
  const { sessionIdleMs, sessionMaxMs } = c.resolve(CONFIG).signIn;
  return { idleMs: sessionIdleMs, maxMs: sessionMaxMs };
});

export interface SessionTimes {
  /** Ends a session that nobody uses. */
  idleMs: number;
  /** Ends every session. */
  maxMs: number;
}

export interface OpenSession {
  visitor: Visitor;
  caller: Caller;
}

type SignInMethod = "link" | "openid";

const retentionMs = 30 * 24 * 60 * 60_000;

/** Browsers in which people are signed in. A session ends after a pause, after its time, or when it is revoked. */
@scoped(Lifecycle.ContainerScoped)
export class Sessions {
  readonly #sightings: LastSeenTracker;

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(SESSION_TIMES) private readonly times: SessionTimes,
    @inject(LOG) log: Log,
  ) {
    this.#sightings = new LastSeenTracker(store, log);
  }

  /** Signs a member in, in the transaction that proved who it is. */
  async startIn(
    tx: EntityManager,
    member: Member,
    way: SignInMethod,
    userAgent: string,
  ): Promise<NewSession> {
    const token = newToken();
    const now = clock.date();
    const expiresAt = new Date(now.getTime() + this.times.maxMs);
    const { userId, organizationId } = member;
    await tx.delete(Session, {
      expiresAt: LessThan(new Date(now.getTime() - retentionMs)),
    });
    const row: Session = {
      id: newId(),
      userId,
      organizationId,
      hash: hashOf(token),
      userAgent: userAgent.slice(0, 255),
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
      revokedAt: null,
    };
    await insertRow(tx, Session, row);
    await recordAudit(tx, toStudioActor(member), {
      organizationId,
      action: "session.started",
      subject: row.id,
      details: { way },
    });
    return { token, expiresAt };
  }

  /** Whose token this is; null for one that is unknown, has ended, or whose person was removed. */
  async open(token: string): Promise<OpenSession | null> {
    const { read } = this.store;
    const row = await read.findOneBy(Session, { hash: hashOf(token) });
    if (row === null || !this.#isAlive(row)) return null;
    const { userId, organizationId } = row;
    const member = await findMembership(read, userId, organizationId);
    if (member === null) return null;
    this.#sightings.note(row);
    const { plan } = await read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    return {
      visitor: { sessionId: row.id, ...member },
      caller: {
        organizationId,
        plan,
        userId,
        keyId: null,
        scopes: getRoleScopes(member.role),
        requestsPerMinute: null,
      },
    };
  }

  async profile({
    userId,
    organizationId,
    role,
  }: Visitor): Promise<UserProfile> {
    const { read } = this.store;
    const { id, name, email } = await read.findOneByOrFail(User, {
      id: userId,
    });
    const places = await listMemberships(read, userId);
    const all = await Promise.all(
      places.map((place) =>
        read.findOneByOrFail(Organization, { id: place.organizationId }),
      ),
    );
    const here = all.find((organization) => organization.id === organizationId);
    if (here === undefined) throw noSession();
    return {
      user: { id, name, email },
      organization: { id: here.id, name: here.name, plan: here.plan },
      role,
      organizations: all.map((organization) => ({
        id: organization.id,
        name: organization.name,
      })),
      endedGuides: GUIDES.filter((guide) =>
        all.some((organization) =>
          readEndedGuides(organization)[userId]?.includes(guide),
        ),
      ),
    };
  }

  /** Those that are alive, the one used last first. */
  async list({ userId, sessionId }: Visitor): Promise<SessionInfo[]> {
    const rows = await this.store.read.find(Session, {
      where: { userId, revokedAt: IsNull() },
      order: { lastSeenAt: "DESC", id: "ASC" },
    });
    return rows
      .filter((row) => this.#isAlive(row))
      .map((row) => ({
        id: row.id,
        userAgent: row.userAgent,
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        isCurrent: row.id === sessionId,
      }));
  }

  /** @throws PlatenError `not_found`. */
  async end(visitor: Visitor, sessionId: string): Promise<void> {
    const { userId } = visitor;
    const isOwn = await this.store.read.existsBy(Session, {
      id: sessionId,
      userId,
    });
    if (!isOwn) throw noSession();
    await this.#end(visitor, { id: sessionId });
  }

  async endOthers(visitor: Visitor): Promise<void> {
    await this.#end(visitor, { id: Not(visitor.sessionId) });
  }

  /** Switches to another of the person's organizations. @throws PlatenError `not_found`. */
  async enter(visitor: Visitor, organizationId: string): Promise<void> {
    const { userId, sessionId } = visitor;
    await this.store.unitOfWork.run(async (tx) => {
      const member = await findMembership(tx, userId, organizationId);
      if (member === null)
        throw new PlatenError(
          "not_found",
          `You do not belong to an organization ${organizationId}.`,
        );
      await tx.update(Session, { id: sessionId }, { organizationId });
    });
  }

  /** The guide is never offered to the person again. */
  async endGuide(
    { userId, organizationId }: Visitor,
    guide: Guide,
  ): Promise<void> {
    await this.store.unitOfWork.run(async (tx) => {
      const id = organizationId;
      const row = await findForUpdate(tx, Organization, { id });
      if (row === null) throw noSession();
      const ended = readEndedGuides(row);
      const endedByUser = new Set([...(ended[userId] ?? []), guide]);
      const endedGuides = { ...ended, [userId]: [...endedByUser] };
      const settings = { ...row.settings, endedGuides };
      await tx.update(Organization, { id }, { settings });
    });
  }

  async #end(
    { userId, organizationId }: Visitor,
    which: { id: string | ReturnType<typeof Not<string>> },
  ): Promise<void> {
    await this.store.unitOfWork.run(async (tx) => {
      const alive = { ...which, userId, revokedAt: IsNull() };
      const rows = await tx.find(Session, { where: alive });
      await tx.update(Session, alive, { revokedAt: clock.date() });
      for (const { id } of rows)
        await recordAudit(tx, toStudioActor({ userId }), {
          organizationId,
          action: "session.revoked",
          subject: id,
        });
    });
  }

  #isAlive({ revokedAt, expiresAt, lastSeenAt }: Session): boolean {
    const now = clock.now();
    return (
      revokedAt === null &&
      expiresAt.getTime() > now &&
      lastSeenAt.getTime() + this.times.idleMs > now
    );
  }
}

const endedGuidesSchema = z.record(z.string(), z.array(z.string()));

/** By the id of the person who ended them. */
function readEndedGuides({
  settings,
}: Organization): z.infer<typeof endedGuidesSchema> {
  return endedGuidesSchema.catch({}).parse(settings?.endedGuides);
}

export function toStudioActor({ userId }: Pick<Visitor, "userId">): Actor {
  return { origin: "studio", userId, keyId: null };
}

function noSession(): PlatenError {
  return new PlatenError("not_found", "There is no such session.");
}

/** The API keys of the organization that a person looks at. */
@scoped(Lifecycle.ContainerScoped)
export class SessionKeys {
  readonly scopes = SCOPES;

  constructor(@inject(ApiKeys) private readonly keys: ApiKeys) {}

  async list({ organizationId }: Visitor): Promise<KeyInfo[]> {
    return (await this.keys.list(organizationId)).map(toKeyInfo);
  }

  /** @throws PlatenError `invalid_request`. */
  async create(
    visitor: Visitor,
    {
      name,
      scopes,
      expiresAt,
      networks,
    }: {
      name: string;
      scopes: string[];
      expiresAt: Date | null;
      /** CIDR blocks; empty: everywhere. */
      networks: string[];
    },
  ): Promise<KeyInfo & { key: string }> {
    const { organizationId, userId } = visitor;
    const input = {
      name,
      scopes,
      userId,
      networks,
      ...(expiresAt && { expiresAt }),
    };
    const made = await this.keys.create(
      organizationId,
      input,
      toStudioActor(visitor),
    );
    return { ...toKeyInfo(made), key: made.key };
  }

  /** @throws PlatenError `not_found`. */
  async revoke(visitor: Visitor, keyId: string): Promise<KeyInfo> {
    const { organizationId } = visitor;
    const actor = toStudioActor(visitor);
    return toKeyInfo(await this.keys.revoke(keyId, actor, organizationId));
  }
}

function toKeyInfo(view: ApiKeyView): KeyInfo {
  const { id, name, prefix, scopes, networks } = view;
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = view;
  const times = { createdAt, expiresAt, revokedAt, lastUsedAt };
  return { id, name, prefix, scopes, networks, ...times };
}

const minuteMs = 60_000;

/** Notes when a session was last used: once a minute at most, and without making the request wait. */
class LastSeenTracker {
  readonly #noted = new LRUCache<string, true>({ max: 5000, ttl: minuteMs });

  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly log: Log,
  ) {}

  note({ id, lastSeenAt }: Pick<Session, "id" | "lastSeenAt">): void {
    const isFresh = lastSeenAt.getTime() > clock.now() - minuteMs;
    if (isFresh || this.#noted.has(id)) return;
    this.#noted.set(id, true);
    this.#write(id).catch((error: unknown) => {
      this.log.warn({ err: error, sessionId: id }, "a session was not noted");
    });
  }

  async #write(id: string): Promise<void> {
    const now = clock.date();
    await this.store.unitOfWork.run((tx) =>
      tx.update(
        Session,
        { id, lastSeenAt: LessThan(now) },
        { lastSeenAt: now },
      ),
    );
  }
}

/** 256 random bits, which need no slow hash; as long as what the log masks in paths. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

const editorWrites: readonly Scope[] = ["templates:write", "documents:write"];

/** Viewers read; editors write templates and documents; owners do all. */
export function getRoleScopes(role: MemberRole): readonly Scope[] {
  if (role === "owner") return SCOPES;
  return SCOPES.filter(
    (scope) =>
      scope.endsWith(":read") ||
      (role === "editor" && editorWrites.includes(scope)),
  );
}
