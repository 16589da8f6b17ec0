import { createHash } from "node:crypto";
import type { RecordBatch } from "../../storage/database/index.js";

/** Locks of an organization's cells: those of one lock are written one after the other. */
const locks = 16;

type Place = Pick<
  RecordBatch,
  "organizationId" | "baseId" | "tableId" | "fieldId"
>;

/** Equal for all that an organization writes to the same cell, through whichever of its connections. */
export function cellKey(
  { organizationId, baseId, tableId, fieldId }: Place,
  recordId: string,
): string {
  const cell = [organizationId, baseId, tableId, fieldId, recordId];
  return createHash("sha256").update(JSON.stringify(cell)).digest("hex");
}

/**
 * The queue's share whose jobs run one at a time, over all processes: many cells to one lock, so that an organization
 * has few shares and gets its turn like every other.
 */
export function lockOf(organizationId: string, cell: string): string {
  const lock = Number.parseInt(cell.slice(0, 4), 16) % locks;
  return `${organizationId}:${lock}`;
}
