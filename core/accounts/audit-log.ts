import {
  And,
  type EntityManager,
  type FindOperator,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
} from "typeorm";
import type { AuditLine, AuditQuery } from "../plugin-api/index.js";
import {
  ApiKey,
  AuditEvent,
  listPage,
  namesOf,
  type Store,
  User,
} from "../storage/database/index.js";
import { subjectNames } from "./subject-names.js";

/** The trail of an organization's administrative acts, in names. */
export class AuditLog {
  constructor(private readonly store: Pick<Store, "snapshot">) {}

  /** The newest first. */
  list(
    organizationId: string,
    query: AuditQuery,
  ): Promise<{ data: AuditLine[]; total: number }> {
    return this.store.snapshot((read) => readLog(read, organizationId, query));
  }
}

async function readLog(
  read: EntityManager,
  organizationId: string,
  { page, pageSize, ...asked }: AuditQuery,
): Promise<{ data: AuditLine[]; total: number }> {
  const { rows, total } = await listPage(read, AuditEvent, {
    page,
    pageSize,
    where: { organizationId, ...whereOf(asked) },
    newestBy: "createdAt",
  });
  const people = await namesOf(
    read,
    User,
    rows.map((row) => row.userId),
  );
  const keys = await namesOf(
    read,
    ApiKey,
    rows.map((row) => row.keyId),
  );
  const subjects = await subjectNames(read, organizationId, rows);
  const data = rows.map((row): AuditLine => {
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

function whereOf({
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
