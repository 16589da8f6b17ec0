import type { NewJob } from "../queue/index.js";

/** The kind of the jobs that carry a delivery's id. */
export const DELIVERY_JOB = "webhook";

/** Endpoints are served in turns: a slow one waits for itself alone. */
export function deliveryJob({
  id,
  endpointId,
}: {
  id: string;
  endpointId: string;
}): NewJob {
  return { kind: DELIVERY_JOB, rowId: id, share: endpointId };
}
