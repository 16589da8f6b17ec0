import {
  type EntityManager,
  And,
  type FindOperator,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
  type EntityTarget,
  In,
} from "typeorm";
import type {
  AuditAction,
  AuditEntry,
  AuditQuery,
  ChangeAuthor,
} from "./views.js";
import { clock } from "../lib/clock.js";
import {
  AuditEvent,
  newId,
  insertRow,
  ApiKey,
  listPage,
  namesOf,
  OauthGrant,
  type Store,
  User,
  Asset,
  Automation,
  Connection,
  Link,
  Template,
  WebhookEndpoint,
  STORE,
} from "../storage/database/index.js";
import { Lifecycle, scoped, inject } from "../lib/injection.js";

export interface AuditNote {
  organizationId: string | null;
  action: AuditAction;
  /** The id of what was acted upon. */
  subject: string;
  /** Never a secret. */
  details?: Record<string, unknown>;
}

/** Notes an act in the transaction that does it: neither is there without the other. */
export async function recordAudit(
  tx: EntityManager,
  actor: Actor,
  { details, ...note }: AuditNote,
): Promise<void> {
  await insertRow(tx, AuditEvent, {
    id: newId(),
    ...actor,
    ...note,
    details: details ?? null,
    createdAt: clock.date(),
  });
}

/** Who performed an administrative action, and through which entry point. */
export type Actor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

/** Someone who runs commands on the machine. */
export const operator: Actor = { origin: "cli", userId: null, keyId: null };

/** The service itself, as when it fills an empty database. */
export const service: Actor = { origin: "service", userId: null, keyId: null };

/** Administrative actions, with the names of people, keys and subjects. */
@scoped(Lifecycle.ContainerScoped)
export class AuditLog {
  constructor(@inject(STORE) private readonly store: Pick<Store, "snapshot">) {}

  /** The newest first. */
  list(
    organizationId: string,
    query: AuditQuery,
  ): Promise<{ data: AuditEntry[]; total: number }> {
    return this.store.snapshot((read) => readLog(read, organizationId, query));
  }
}

async function readLog(
  read: EntityManager,
  organizationId: string,
  { page, pageSize, ...criteria }: AuditQuery,
): Promise<{ data: AuditEntry[]; total: number }> {
  const { rows, total } = await listPage(read, AuditEvent, {
    page,
    pageSize,
    where: { organizationId, ...toWhere(criteria) },
    newestBy: "createdAt",
  });
  const people = await namesOf(
    read,
    User,
    rows.map((row) => row.userId),
  );
  const keyIds = rows.map((row) => row.keyId);
  const keys = new Map([
    ...(await namesOf(read, ApiKey, keyIds)),
    ...(await namesOf(read, OauthGrant, keyIds)),
  ]);
  const subjects = await findSubjectNames(read, organizationId, rows);
  const data = rows.map((row): AuditEntry => {
    const { id, action, origin, userId, keyId, subject, details } = row;
    const person = userId === null ? undefined : people.get(userId);
    return {
      id,
      action,
      origin,
      person:
        userId === null ? null : { id: userId, name: person ?? "Unknown" },
      key: (keyId !== null && keys.get(keyId)) || null,
      subject: { id: subject, name: subjects.get(id) ?? null },
      details,
      at: row.createdAt.toISOString(),
    };
  });
  return { data, total };
}

/** Who did something last, then or later; null when nobody did. */
export async function findLastChange(
  read: EntityManager,
  organizationId: string,
  criteria: { action: AuditAction; subject: string; since: Date },
): Promise<ChangeAuthor | null> {
  const { action, subject, since } = criteria;
  const row = await read.findOne(AuditEvent, {
    where: {
      organizationId,
      action,
      subject,
      createdAt: MoreThanOrEqual(since),
    },
    order: { createdAt: "DESC", id: "DESC" },
  });
  if (!row) return null;
  const { userId, origin } = row;
  const names = await namesOf(read, User, [userId]);
  const name = userId === null ? undefined : names.get(userId);
  return { userId, name: name ?? null, origin };
}

function toWhere({
  action,
  userId,
  from,
  until,
}: Omit<AuditQuery, "page" | "pageSize">): FindOptionsWhere<AuditEvent> {
  const times: FindOperator<Date>[] = [
    ...(from ? [MoreThanOrEqual(from)] : []),
    ...(until ? [LessThan(until)] : []),
  ];
  return {
    ...(action !== null && { action }),
    ...(userId !== null && { userId }),
    ...(times.length > 0 && { createdAt: And(...times) }),
  };
}

interface Named {
  id: string;
  organizationId?: string;
  name?: string;
  url?: string;
}

/** Where the things of acts are, by the first word of the act. */
const subjectEntities: Record<string, EntityTarget<Named>> = {
  user: User,
  login_link: User,
  session: User,
  api_key: ApiKey,
  assistant: OauthGrant,
  template: Template,
  asset: Asset,
  link: Link,
  automation: Automation,
  webhook: WebhookEndpoint,
  connection: Connection,
};

/** Names of the audited objects by event id; deleted objects keep their last name. */
async function findSubjectNames(
  read: EntityManager,
  organizationId: string,
  rows: readonly AuditEvent[],
): Promise<Map<string, string>> {
  const now = await Promise.all(
    Object.entries(subjectEntities).map(([thing, entity]) => {
      const ids = rows
        .filter(({ action }) => action.split(".")[0] === thing)
        .map(({ subject }) => subject);
      return findNames(read, entity, organizationId, ids);
    }),
  );
  const names = new Map(now.flat());
  return new Map(
    rows.flatMap((row) => {
      const name = names.get(row.subject) ?? getRecordedName(row);
      return name === null ? [] : [[row.id, name]];
    }),
  );
}

async function findNames(
  read: EntityManager,
  entity: EntityTarget<Named>,
  organizationId: string,
  ids: readonly string[],
): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const rows = await read.findBy(entity, { id: In([...new Set(ids)]) });
  return rows
    .filter((row) => (row.organizationId ?? organizationId) === organizationId)
    .map((row) => [row.id, row.name ?? row.url ?? ""]);
}

function getRecordedName({ details }: AuditEvent): string | null {
  const name = details?.["name"] ?? details?.["email"] ?? details?.["url"];
  return typeof name === "string" ? name : null;
}
