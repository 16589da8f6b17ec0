import {
  type IExecuteFunctions,
  type INodeExecutionData,
  NodeOperationError,
  sleep,
} from "n8n-workflow";
import type { Answer, Body } from "../../../../sdk/src/calls.js";
import { call, toIdempotencyKey } from "../../shared/api.js";
import { readData, readJson, readOptions, readTemplateId } from "./data.js";
import { toItem } from "./documents.js";

/** Batch > Create: one batch of all input items. */
export async function createBatch(
  context: IExecuteFunctions,
): Promise<INodeExecutionData[]> {
  const { metadata, ...options } = readOptions(context, 0);
  const formats = context.getNodeParameter("formats", 0);
  const items = context.getInputData().map((_, index) => ({
    data: readData(context, index),
    ...(metadata !== undefined && {
      metadata: readJson(context, "options.metadata", index),
    }),
  }));
  const { data } = await call(context, "exportBatch", {
    body: {
      ...options,
      templateId: readTemplateId(context, 0),
      formats: formats as Body<"exportBatch">["formats"],
      items,
    },
    idempotencyKey: toIdempotencyKey(context, 0),
  });
  const { batchId, totalCount, status } = data;
  const pairedItem = items.map((_, item) => ({ item }));
  return [{ json: { batchId, totalCount, status }, pairedItem }];
}

type Batch = Answer<"getBatch">;
type BatchDocument = Batch["documents"][number];

const pageSize = 100;

/** Batch > Wait: an item for each document, in the order of the batch. */
export async function waitForBatch(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const id = String(context.getNodeParameter("batchId", itemIndex));
  const { totalCount } = await waitUntilCompleted(context, id, itemIndex);
  const documents: BatchDocument[] = [];
  for (let page = 1; documents.length < totalCount; page += 1) {
    const query = { page, pageSize };
    const request = { ids: [id], query, itemIndex };
    const { data } = await call(context, "getBatch", request);
    documents.push(...data.documents);
    if (data.documents.length === 0) break;
  }
  const failed = documents.filter(({ status }) => status !== "succeeded");
  if (failed.length > 0 && !context.continueOnFail())
    throw new NodeOperationError(
      context.getNode(),
      `${failed.length} of ${totalCount} documents failed: ${describe(failed[0])}`,
      {
        itemIndex,
        description: `The others are ready. To go on with them, change On Error in the settings of this node. Failed: ${failed
          .slice(0, 10)
          .map((one) => `${one.id} (${describe(one)})`)
          .join("; ")}`,
      },
    );
  const found: INodeExecutionData[] = [];
  for (const document of documents)
    found.push(
      document.status === "succeeded"
        ? await toItem(context, document, itemIndex)
        : {
            json: { ...document },
            error: new NodeOperationError(
              context.getNode(),
              describe(document),
              { itemIndex },
            ),
          },
    );
  return found;
}

function describe(document: BatchDocument | undefined): string {
  return document?.error ?? String(document?.status);
}

async function waitUntilCompleted(
  context: IExecuteFunctions,
  id: string,
  itemIndex: number,
): Promise<Batch> {
  const timeout = Number(context.getNodeParameter("timeout", itemIndex, 300));
  const end = Date.now() + timeout * 1000;
  for (let pause = 500; ; pause = Math.min(pause * 1.5, 5000)) {
    const request = { ids: [id], query: { page: 1, pageSize: 1 }, itemIndex };
    const { data: batch } = await call(context, "getBatch", request);
    if (batch.status === "completed") return batch;
    const left = end - Date.now();
    const isCanceled = context.getExecutionCancelSignal()?.aborted ?? false;
    if (left <= 0 || isCanceled) {
      const { queued, rendering } = batch.counts;
      const done = batch.totalCount - queued - rendering;
      throw new NodeOperationError(
        context.getNode(),
        `The batch is not completed${isCanceled ? "" : ` after ${timeout} seconds`}: ${done} of ${batch.totalCount} documents are done`,
        {
          itemIndex,
          description:
            "Platen goes on with it. Increase Timeout, or start another workflow with Platen Trigger on the event Batch Completed.",
        },
      );
    }
    await sleep(Math.min(pause, left));
  }
}
