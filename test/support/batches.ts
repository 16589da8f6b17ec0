import type { DependencyContainer, InjectionToken } from "tsyringe";
import type { z } from "zod";
import { acceptedBatchSchema } from "../../core/api/routes/batches.js";
import { SCOPES } from "../../core/accounts/index.js";
import { batchSchema, batchSweeps } from "../../core/batches/index.js";
import {
  OutboxEvent,
  type Plan,
  STORE,
} from "../../core/storage/database/index.js";
import { QUEUE } from "../../core/queue/index.js";
import { EVENTS } from "../../core/webhooks/index.js";
import { newCaller, type Requests, type TestCaller, reader } from "./caller.js";
import { eventually } from "./eventually.js";
import type { TestService } from "./service.js";

/** A caller whose organization may send batches. */
export function newBatchCaller(
  service: TestService,
  plan: Plan = "premium",
): Promise<TestCaller> {
  return newCaller(service, SCOPES, plan);
}

export const readAccepted = reader(acceptedBatchSchema);
export const readBatch = reader(batchSchema);

/** Sends a batch, which must be accepted. */
export async function sendBatch(caller: Requests, body: object) {
  const response = await caller.post("/api/export/batch", body);
  return readAccepted(response, 202);
}

/**
 * Sends a batch of a new organization, which must be accepted; by default, one document as html.
 * @param template what its template has beside the usual
 */
export async function startBatch(
  service: TestService,
  body: object = {},
  template: object = {},
) {
  const caller = await newBatchCaller(service);
  const templateId = await caller.publish(template);
  const defaults = { templateId, formats: ["html"], items: [{}] };
  const accepted = await sendBatch(caller, { ...defaults, ...body });
  const when = (isReached?: (batch: BatchReply) => boolean) =>
    batchWhen(caller, accepted.batchId, isReached);
  return { ...accepted, caller, templateId, when };
}

/** Runs what fixes batches after a crash, or one part of it, as the service does now and then. */
export async function sweepBatches(
  { store, container }: TestService,
  name?: string,
): Promise<void> {
  const queue = container.resolve(QUEUE);
  const { dispatch: events } = container.resolve(EVENTS);
  for (const sweep of batchSweeps({ store, queue, events }))
    if (name === undefined || sweep.name === name) await sweep.run();
}

/** The new batch of a retry, which must be accepted. */
export async function retryBatch(caller: Requests, batchId: string) {
  const response = await caller.post(`/api/batches/${batchId}/retry`, {});
  return readAccepted(response, 202);
}

export type BatchReply = z.output<typeof batchSchema>;

export async function fetchBatch(
  caller: Requests,
  batchId: string,
): Promise<BatchReply> {
  return readBatch(await caller.get(`/api/batches/${batchId}`));
}

/** The batch as soon as it fulfils the condition; by default, once it is completed. */
export function batchWhen(
  caller: Requests,
  batchId: string,
  isReached = (batch: BatchReply) => batch.status === "completed",
): Promise<BatchReply> {
  return eventually(async () => {
    const batch = await fetchBatch(caller, batchId);
    return isReached(batch) && batch;
  });
}

/** The events of the batch in order, each with its type and payload. */
export async function findEvents(
  service: Pick<TestService, "store">,
  batchId: string,
) {
  const rows = await service.store.read.find(OutboxEvent, {
    where: { batchId },
    order: { id: "ASC" },
  });
  return rows.map(({ type, data }) => ({ type, data }));
}

/** So many records, each with its number as its name. */
export function records(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    data: { name: `No. ${index}` },
    metadata: { number: index },
  }));
}

/** A container that creates services of their own on the service's store, with parts that the test plays. */
export function containerWith(
  { container, store }: TestService,
  parts: readonly (readonly [InjectionToken, unknown])[],
): DependencyContainer {
  const own = container.createChildContainer();
  for (const [token, useValue] of [[STORE, store] as const, ...parts])
    own.register(token, { useValue });
  return own;
}
