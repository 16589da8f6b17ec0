import type { Alongside, Batches } from "../../batches/index.js";
import { Deadline } from "../../plugin-api/index.js";
import { getTemplateToRender } from "../../documents/index.js";
import type {
  Batch,
  RecordBatch,
  Store,
} from "../../storage/database/index.js";
import type { ProjectData } from "../../definition/index.js";
import { checkRecords } from "./check-records.js";
import { checkRequest } from "./check-request.js";
import type { Connections } from "./connections.js";
import type { Destination } from "./destination.js";
import type { PlatformRecords } from "./platform-records.js";
import type { DestinationRequest, RecordsRequest } from "./records-request.js";
import {
  destinationView,
  settleDestination,
  type SettledDestination,
} from "./settle-destination.js";

export interface GenerateParts {
  store: Store;
  batches: Batches;
  connections: Connections;
  records: PlatformRecords;
}

/** For the platform's answers before the batch is accepted, so that the whole stays below 5 s. */
const checkMs = 4500;

/**
 * The story: records of a platform become a batch. Connection, table, fields and records are looked at first; then the
 * batch is accepted, and jobs fetch the records and what they link to.
 * @throws PlatenError that names what is missing, and then nothing is queued.
 */
export async function generateFromRecords(
  parts: GenerateParts,
  request: RecordsRequest,
  alongside?: Alongside,
): Promise<Batch> {
  const deadline = Deadline.after(checkMs);
  const draft = await parts.batches.draft(request);
  try {
    checkRequest(request);
    const { definition, version } = await templateOf(parts.store, request);
    const settled = await settleDestination(
      parts.connections,
      request,
      definition,
      deadline,
    );
    await checkRecords(settled, request.recordIds, deadline);
    for (const recordId of request.recordIds)
      await draft.add({ metadata: { recordId } });
    const order = orderOf(request, version);
    const batch = await parts.batches.accept(order, draft, async (tx, row) => {
      await parts.records.accepted(tx, row, placeOf(request, settled));
      await alongside?.(tx, row);
    });
    parts.records.nudge();
    return batch;
  } finally {
    await draft.close();
  }
}

/** The same checks without records. @throws PlatenError that names what is missing. */
export async function findDestination(
  { store, connections }: Pick<GenerateParts, "store" | "connections">,
  request: DestinationRequest,
): Promise<Destination> {
  const deadline = Deadline.after(checkMs);
  const { definition } = await templateOf(store, request);
  return destinationView(
    await settleDestination(connections, request, definition, deadline),
  );
}

/** The snapshot that the batch will keep to. */
async function templateOf(
  { read }: Store,
  request: DestinationRequest,
): Promise<{ definition: ProjectData; version: number }> {
  const { version } = await getTemplateToRender(read, request);
  const choice = { ...request, templateVersion: version };
  const template = await getTemplateToRender(read, choice);
  return { definition: await template.definition(), version };
}

function orderOf(request: RecordsRequest, templateVersion: number) {
  const { organizationId, createdById, templateId, platform } = request;
  const { formats = ["pdf"], sendForSignature, esignConnection } = request;
  return {
    organizationId,
    createdById,
    templateId,
    templateVersion,
    platform,
    formats,
    sendForSignature,
    esignConnection,
  };
}

function placeOf(
  { overwriteExisting = false }: RecordsRequest,
  { connection, scope, plan, field }: SettledDestination,
): Omit<RecordBatch, "batchId" | "organizationId" | "createdAt"> {
  return {
    connectionId: connection.id,
    baseId: scope.baseId ?? null,
    tableId: scope.tableId,
    fieldId: field?.id ?? null,
    fieldName: field?.name ?? null,
    mode: overwriteExisting ? "replace" : "append",
    plan,
  };
}
