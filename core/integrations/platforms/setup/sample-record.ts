import type {
  Json,
  ProjectData,
  TableInfo,
  TableScope,
} from "../../../plugin-api/index.js";
import type { OpenPlatform } from "../../host/index.js";
import { planWalk } from "../mapping/plan-walk.js";
import { bringRecords } from "../walk/bring-records.js";
import { firstRow } from "./first-records.js";

const timeoutMs = 20_000;

/** The table's first record as the template will have it, all that it links to included; null: there is none. */
export async function sampleRecord(
  platform: OpenPlatform,
  scope: TableScope,
  { schema }: ProjectData,
  { table, tables }: { table: TableInfo; tables: readonly TableInfo[] },
): Promise<Json | null> {
  const row = await firstRow(platform, scope);
  if (!row) return null;
  const { plan } = planWalk(schema, table, tables);
  const signal = AbortSignal.timeout(timeoutMs);
  const order = { baseId: scope.baseId ?? null, plan };
  const brought = await bringRecords(platform, order, [row.id], { signal });
  const record = brought.get(row.id);
  if (!record || "error" in record) return null;
  const sample: Json = JSON.parse(record.json);
  return sample;
}
