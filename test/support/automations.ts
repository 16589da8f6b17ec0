import {
  automationRunSchema,
  automationSchema,
} from "../../core/automations/index.js";
import { pageSchema } from "../../core/api/schemas.js";
import {
  Automation,
  getDatabaseTime,
} from "../../core/storage/database/index.js";
import { QUEUE } from "../../core/queue/index.js";
import { reader, type Requests } from "./caller.js";
import { eventually } from "./eventually.js";
import type { RecordCaller } from "./records.js";
import type { TestService } from "./service.js";

export const readAutomation = reader(automationSchema);
const readRun = reader(automationRunSchema);
const readRuns = reader(pageSchema(automationRunSchema));

export const weekly = { cron: "0 8 * * 1", timeZone: "Europe/Berlin" };
export const changes = { everyMinutes: 1, startFrom: "now" } as const;

/** Creates an automation for the orders that have no file. */
export async function createAutomation(
  caller: RecordCaller,
  more: object = {},
) {
  return readAutomation(await postAutomation(caller, more), 201);
}

export function postAutomation(
  { templateId, ...caller }: RecordCaller,
  more: object = {},
): Promise<Response> {
  return caller.post("/api/automations", {
    templateId,
    platform: "memory",
    records: { emptyAttachment: true },
    attachmentField: "Invoice",
    formats: ["html"],
    when: weekly,
    ...more,
  });
}

export async function fetchAutomation(caller: Requests, id: string) {
  return readAutomation(await caller.get(`/api/automations/${id}`));
}

/** Newest first. */
export async function fetchRuns(caller: Requests, id: string) {
  return (await readRuns(await caller.get(`/api/automations/${id}/runs`))).data;
}

/** The newest run as soon as it has ended, when there are so many. */
export function waitForRuns(caller: Requests, id: string, count: number) {
  return eventually(async () => {
    const [newest, ...others] = await fetchRuns(caller, id);
    return (
      newest !== undefined &&
      newest.endedAt !== null &&
      others.length === count - 1 &&
      newest
    );
  });
}

/** Starts a run by hand. */
export async function startRun(caller: Requests, id: string) {
  return readRun(await caller.post(`/api/automations/${id}/runs`, {}), 202);
}

/** Starts a run by hand and waits for its end. */
export async function runNow(caller: Requests, id: string) {
  const run = await startRun(caller, id);
  return eventually(async () => {
    const runs = await fetchRuns(caller, id);
    return runs.find((one) => one.id === run.id && one.endedAt !== null);
  });
}

/** Lets an automation be due as if the clock had moved on; by default, since now. @returns when it was due. */
export async function makeDue(
  service: Pick<TestService, "store" | "container">,
  id: string,
  agoMs = 0,
): Promise<Date> {
  const queue = service.container.resolve(QUEUE);
  const dueAt = await service.store.unitOfWork.run(async (tx) => {
    const now = await getDatabaseTime(tx);
    const nextRunAt = new Date(now.getTime() - agoMs);
    const { organizationId } = await tx.findOneByOrFail(Automation, { id });
    await tx.update(Automation, { id }, { nextRunAt });
    await queue.enqueue(tx, [
      {
        kind: "automation",
        rowId: id,
        partitionKey: organizationId,
        runAt: nextRunAt,
      },
    ]);
    return nextRunAt;
  });
  queue.nudge("automation");
  return dueAt;
}
