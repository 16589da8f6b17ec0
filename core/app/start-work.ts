import type { DependencyContainer } from "tsyringe";
import { workBatches } from "../batches/index.js";
import { workSignatures } from "../signatures/index.js";
import * as t from "./tokens.js";

const hourMs = 3_600_000;
const tenMinutesMs = 600_000;

/** For each page that prints one document, one is merged or stored; a few more, so that no page ever waits. */
function inHand(pages: number): number {
  return 2 * pages + 4;
}

/**
 * Has this process render the documents of batches and send webhooks. @returns what ends it: takes nothing new, lets
 * what runs end, and after `graceMs` gives back the rest.
 */
export async function startWork(
  container: DependencyContainer,
): Promise<(graceMs: number) => Promise<void>> {
  const { dispatch } = container.resolve(t.EVENTS);
  const queue = container.resolve(t.QUEUE);
  startBatches(container);
  container.resolve(t.FETCH_WORKER).register();
  container.resolve(t.WRITE_BACK_WORKER).register();
  workSignatures(container.resolve(t.ESIGN_PARTS));
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

function startBatches(container: DependencyContainer): void {
  const { batch, render } = container.resolve(t.CONFIG);
  workBatches(
    {
      store: container.resolve(t.STORE),
      queue: container.resolve(t.QUEUE),
      renderQueued: container.resolve(t.RENDER_QUEUED),
      events: container.resolve(t.EVENTS).dispatch,
      records: container.resolve(t.RECORD_SOURCE),
      signing: container.resolve(t.SIGNING),
      log: container.resolve(t.LOG),
    },
    {
      concurrency: batch.concurrency ?? inHand(render.pages),
      perOrganization: batch.perOrganization,
      leaseMs: batch.leaseMs,
      retryDelaysMs: batch.retryDelaysMs,
      renderTimeoutMs: render.timeoutMs,
    },
  );
}
