import type { Templates } from "../templates/index.js";
import type { Session } from "./session.js";

const most = 100;

/** Ids of the last changed templates whose id begins with what was typed, or whose name holds it. */
export async function templateIds(
  templates: Templates,
  { caller }: Session,
  typed: string,
): Promise<string[]> {
  const latest = { page: 1, pageSize: most, recentlyUpdated: true };
  const [all, named] = await Promise.all([
    templates.list(caller.organizationId, latest),
    templates.list(caller.organizationId, { ...latest, q: typed }),
  ]);
  const begun = all.data.filter(({ id }) => id.startsWith(typed.toLowerCase()));
  const ids = [...begun, ...named.data].map(({ id }) => id);
  return [...new Set(ids)].slice(0, most);
}
