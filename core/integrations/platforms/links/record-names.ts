import type { Log } from "../../../plugin-api/index.js";
import { errorText } from "../../../plugin-api/index.js";
import type { Link } from "../../../storage/database/index.js";
import type { RunPorts } from "./ports.js";

/** What the platform tells of records, for people to know them by. */
export interface RecordNames {
  /** By record id; of one without a name there is none. */
  names: Record<string, string>;
  /** Of those asked for, which the table has not. */
  missing: string[];
}

/** The page waits for it. */
const timeoutMs = 4000;
/** More than anyone reads; the batch's own checks look at all. */
const mostLookedUp = 100;
const longestName = 80;

/** Names of the first records. A platform that does not answer in time costs the names, not the page. */
export async function recordNames(
  { connections }: Pick<RunPorts, "connections">,
  link: Link,
  recordIds: readonly string[],
  log: Log,
): Promise<RecordNames> {
  try {
    return await lookUp(connections, link, recordIds.slice(0, mostLookedUp));
  } catch (error) {
    log.info({ link: link.id, why: errorText(error) }, "records have no names");
    return { names: {}, missing: [] };
  }
}

async function lookUp(
  connections: RunPorts["connections"],
  { organizationId, connectionId, baseId, tableId, primaryFieldId }: Link,
  ids: readonly string[],
): Promise<RecordNames> {
  const { platform } = await connections.open(organizationId, connectionId);
  const scope = { tableId, ...(baseId !== null && { baseId }) };
  const fields = primaryFieldId === null ? [] : [primaryFieldId];
  const limits = { timeoutMs, attempts: 1 };
  const found = await platform.fetchRows(scope, ids, fields, limits);
  const names = found.rows.flatMap((row) => {
    const name = nameOf(row.fields[primaryFieldId ?? ""]);
    return name === "" ? [] : [[row.id, name] as const];
  });
  return { names: Object.fromEntries(names), missing: found.missing };
}

function nameOf(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const text = String(value).trim();
  if (text.length <= longestName) return text;
  return `${text.slice(0, longestName - 1)}…`;
}
