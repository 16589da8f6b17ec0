import {
  type Deadline,
  PlatenError,
  type Problem,
  type TableInfo,
} from "../../plugin-api/index.js";
import type { SettledDestination } from "./settle-destination.js";

/** Time that is left when the last of several reads may begin. */
const enoughMs = 2500;
const mostNamed = 50;

/**
 * Looks for the records, as many as the time allows; the first read is always made. What is not looked for here is
 * told by its document, should it be missing.
 * @throws PlatenError `invalid_request` that names the missing ones.
 */
export async function checkRecords(
  { connection: { platform }, scope, table }: SettledDestination,
  recordIds: readonly string[],
  deadline: Deadline,
): Promise<void> {
  const { maxIdsPerFetch } = platform.capabilities;
  const fieldId = table.primaryFieldId ?? table.fields[0]?.id;
  const fieldIds = fieldId === undefined ? [] : [fieldId];
  const missing = new Set<string>();
  for (let at = 0; at < recordIds.length; at += maxIdsPerFetch) {
    if (at > 0 && deadline.remainingMs < enoughMs) break;
    const ids = recordIds.slice(at, at + maxIdsPerFetch);
    const limits = { timeoutMs: deadline.remainingMs };
    const found = await platform.fetchRows(scope, ids, fieldIds, limits);
    for (const id of found.missing) missing.add(id);
  }
  if (missing.size > 0) throw refusal(recordIds, missing, table);
}

function refusal(
  recordIds: readonly string[],
  missing: ReadonlySet<string>,
  { name }: TableInfo,
): PlatenError {
  const problems: Problem[] = recordIds.flatMap((id, at) =>
    missing.has(id)
      ? {
          path: `$.recordIds[${at}]`,
          code: "missing",
          message: `The table "${name}" has no record "${id}".`,
        }
      : [],
  );
  return new PlatenError("invalid_request", "Some records do not exist.", {
    problems: problems.slice(0, mostNamed + 1),
  });
}
