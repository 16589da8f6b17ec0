import type { DependencyContainer } from "tsyringe";
import * as t from "./tokens.js";

const hourMs = 3_600_000;
const tenMinutesMs = 600_000;

/**
 * Has this process render the documents of batches and send webhooks. @returns what ends it: takes nothing new, lets
 * what runs end, and after `graceMs` gives back the rest.
 */
export async function startWork(
  container: DependencyContainer,
): Promise<(graceMs: number) => Promise<void>> {
  const { dispatch } = container.resolve(t.EVENTS);
  const queue = container.resolve(t.QUEUE);
  container.resolve(t.DOCUMENT_WORKER).register();
  container.resolve(t.FETCH_WORKER).register();
  container.resolve(t.WRITE_BACK_WORKER).register();
  container.resolve(t.SIGNATURE_WORKER).register();
  queue.every("admission", hourMs, () => sweepAdmission(container));
  const payloads = container.resolve(t.RECENT_PAYLOADS);
  queue.every("recent-payloads", tenMinutesMs, () =>
    payloads.sweep(new Date()),
  );
  dispatch.work();
  await queue.start();
  dispatch.start();
  return async (graceMs) => {
    await dispatch.stop();
    await queue.stop(graceMs);
  };
}

/** Forgets answers and counts of requests that nobody will ask for again. */
async function sweepAdmission(container: DependencyContainer): Promise<void> {
  const now = new Date();
  await container.resolve(t.IDEMPOTENCY_KEYS).sweep(now);
  await container.resolve(t.RATE_LIMITS).sweep(now);
}
