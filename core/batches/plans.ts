import { PlatenError } from "../plugin-api/index.js";
import type { Plan } from "../storage/database/index.js";

const withBatches: readonly Plan[] = ["premium", "enterprise"];

/** Quota and balance never block a batch; the plan does. @throws PlatenError `invalid_request`. */
export function requireBatchPlan(plan: Plan): void {
  if (withBatches.includes(plan)) return;
  throw new PlatenError(
    "invalid_request",
    `Batches need the plan premium or enterprise; this organization's plan is ${plan}. ` +
      "Render its documents one by one with POST /api/export, or change the plan.",
  );
}
