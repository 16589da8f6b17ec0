import { createHash } from "node:crypto";
import type { Row } from "../../plugin-api/index.js";
import type { Destination } from "./destination.js";

/**
 * The versions of records, by record id; those that no longer exist are left out. A version is a text with the digest of
 * each field that the template reads of the record itself, so that versions which were made for different fields can
 * still be compared. The attachment field is not part of it: a record does not change because its file was written.
 */
export type RecordVersions = ReadonlyMap<string, string>;

const fieldDigestLength = 6;
const valueDigestLength = 10;
const entryLength = fieldDigestLength + valueDigestLength;

/** Reads the fields of records that the template uses. Linked records are not read. */
export async function readVersions(
  { connection: { platform }, scope, plan, field: target, table }: Destination,
  recordIds: readonly string[],
  signal: AbortSignal,
): Promise<RecordVersions> {
  const [root] = plan.collections;
  const used = [...(root?.values ?? []), ...(root?.links ?? [])];
  const attachments = new Set(
    table.fields
      .filter(({ kind }) => kind === "attachment")
      .map(({ id }) => id),
  );
  const ids = used.flatMap(({ fieldId }) => fieldId ?? []);
  const fieldIds = [...new Set(ids)]
    .filter((id) => id !== target?.id)
    .toSorted();
  const { rows } = await platform.fetchRows(scope, recordIds, fieldIds, {
    signal,
    priority: "batch",
  });
  const toValue = (row: Row, fieldId: string): unknown => {
    const value = row.links[fieldId] ?? row.fields[fieldId] ?? null;
    if (!attachments.has(fieldId) || !Array.isArray(value)) return value;
    // Platforms sign the addresses of files anew each time.
    return value.map((file: unknown) =>
      typeof file === "object" && file !== null && "remoteId" in file
        ? file.remoteId
        : file,
    );
  };
  const digests = fieldIds.map((id) => digest(id, fieldDigestLength));
  return new Map(
    rows.map((row) => [
      row.id,
      fieldIds
        .map((id, at) => {
          const value = JSON.stringify(toValue(row, id));
          return `${digests[at]}${digest(value, valueDigestLength)}`;
        })
        .join(""),
    ]),
  );
}

/** Whether a record that had the version `previous` still has it, as far as both versions have the same fields. */
export function hasVersion(previous: string, current: string): boolean {
  const before = new Map(listEntries(previous));
  return listEntries(current).every(([field, value]) => {
    const earlier = before.get(field);
    return earlier === undefined || earlier === value;
  });
}

function listEntries(version: string): [field: string, value: string][] {
  const count = Math.floor(version.length / entryLength);
  return Array.from({ length: count }, (_, index) => {
    const at = index * entryLength;
    const split = at + fieldDigestLength;
    return [version.slice(at, split), version.slice(split, at + entryLength)];
  });
}

function digest(text: string, length: number): string {
  const hash = createHash("sha256").update(text).digest("base64url");
  return hash.slice(0, length);
}
