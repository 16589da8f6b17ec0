import { type EntityManager, type EntityTarget, In } from "typeorm";
import {
  ApiKey,
  Asset,
  type AuditEvent,
  Connection,
  Link,
  Template,
  User,
  WebhookEndpoint,
} from "../storage/database/index.js";

interface Named {
  id: string;
  organizationId?: string;
  name?: string;
  url?: string;
}

/** Where the things of acts are, by the first word of the act. */
const places: Record<string, EntityTarget<Named>> = {
  user: User,
  login_link: User,
  session: User,
  api_key: ApiKey,
  template: Template,
  asset: Asset,
  link: Link,
  webhook: WebhookEndpoint,
  connection: Connection,
};

/** What the subjects of acts are called, by the id of the act: now, or, of what is gone, then. */
export async function subjectNames(
  read: EntityManager,
  organizationId: string,
  rows: readonly AuditEvent[],
): Promise<Map<string, string>> {
  const now = await Promise.all(
    Object.entries(places).map(([thing, entity]) => {
      const ids = rows.filter((row) => thingOf(row) === thing).map(subjectOf);
      return namesOf(read, entity, organizationId, ids);
    }),
  );
  const names = new Map(now.flat());
  return new Map(
    rows.flatMap((row) => {
      const name = names.get(row.subject) ?? toldName(row);
      return name === null ? [] : [[row.id, name]];
    }),
  );
}

async function namesOf(
  read: EntityManager,
  entity: EntityTarget<Named>,
  organizationId: string,
  ids: readonly string[],
): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const found = await read.findBy(entity, { id: In([...new Set(ids)]) });
  return found
    .filter((one) => (one.organizationId ?? organizationId) === organizationId)
    .map((one) => [one.id, one.name ?? one.url ?? ""]);
}

function thingOf({ action }: AuditEvent): string {
  return action.split(".")[0] ?? "";
}

function subjectOf({ subject }: AuditEvent): string {
  return subject;
}

/** As the act was noted. */
function toldName({ details }: AuditEvent): string | null {
  const told = details?.["name"] ?? details?.["email"] ?? details?.["url"];
  return typeof told === "string" ? told : null;
}
