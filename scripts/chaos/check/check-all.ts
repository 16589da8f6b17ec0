import { checkArrivals } from "./check-arrivals.js";
import { checkBatches } from "./check-batches.js";
import { checkDeliveries } from "./check-deliveries.js";
import { checkDocuments } from "./check-documents.js";
import { checkFiles } from "./check-files.js";
import { checkQueue } from "./check-queue.js";
import type { Check, Evidence, Loss } from "./evidence.js";

const checks: readonly Check[] = [
  checkDocuments,
  checkBatches,
  checkDeliveries,
  checkArrivals,
  checkFiles,
  checkQueue,
];

/** All promises that were not kept. No process may be at work. */
export async function checkAll(evidence: Evidence): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const check of checks) losses.push(...(await check(evidence)));
  return losses;
}
