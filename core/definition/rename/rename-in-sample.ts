import { PlatenError } from "../../plugin-api/index.js";
import type { DataCollection } from "../schema/data-schema.js";

interface Renaming {
  collectionId: string;
  name: string;
  to: string;
}

/**
 * The sample with the field's new name in every record of its collection; what links do not lead to stays.
 * @throws PlatenError `invalid_request` where a record has both names.
 */
export function renameInSample(
  sample: unknown,
  schema: readonly DataCollection[],
  renaming: Renaming,
): unknown {
  const records = new Map(schema.map((one) => [one.id, one]));
  const walk = (value: unknown, id: string): unknown => {
    if (Array.isArray(value)) return value.map((one: unknown) => walk(one, id));
    if (typeof value !== "object" || value === null) return value;
    const links = targetsOf(records.get(id));
    const isRenamed = id === renaming.collectionId;
    if (isRenamed) refuseBoth(value, renaming);
    const entries = Object.entries(value).map(
      ([key, one]: [string, unknown]) => {
        const target = links.get(key);
        const inner = target === undefined ? one : walk(one, target);
        return [isRenamed && key === renaming.name ? renaming.to : key, inner];
      },
    );
    return Object.fromEntries(entries);
  };
  return walk(sample, "root");
}

function targetsOf(record: DataCollection | undefined): Map<string, string> {
  const links = record?.fields ?? [];
  return new Map(
    links.flatMap((field) =>
      "target" in field ? [[field.name, field.target] as const] : [],
    ),
  );
}

function refuseBoth(record: object, { name, to }: Renaming): void {
  if (!Object.hasOwn(record, name) || !Object.hasOwn(record, to)) return;
  throw new PlatenError(
    "invalid_request",
    `The sample has a value named "${to}" beside "${name}" already. Choose another name, or take it out of the sample.`,
  );
}
