import { Readable } from "node:stream";
import { makeZip } from "client-zip";
import { z } from "zod";
import type { ArchiveEntry, Batches } from "../../batches/index.js";
import { operation, type Operation } from "../operation.js";
import { acceptedBatch, batchDetail, batchListItem } from "../schemas/batch.js";
import { pagination } from "../schemas/common.js";
import { pageOf, pageQuery } from "../schemas/query.js";

const batchParams = z.strictObject({
  batchId: z.string().meta({ description: "Begins with `batch_`." }),
});

/** Read batches, and do something about them. */
export function batchOperations(batches: Batches): Operation[] {
  return [
    list(batches),
    read(batches),
    cancel(batches),
    retry(batches),
    archive(batches),
  ];
}

function list(batches: Batches): Operation {
  return operation({
    id: "listBatches",
    method: "get",
    path: "/api/batches",
    scope: "documents:read",
    tag: "Batches",
    summary: "List batches",
    description: "The newest first.",
    query: z.strictObject(pageQuery),
    reply: {
      description: "A page of batches.",
      schema: z.strictObject({ data: z.array(batchListItem), pagination }),
    },
    handle: ({ caller, query }) =>
      batches.list(caller.organizationId, pageOf(query)),
  });
}

function read(batches: Batches): Operation {
  return operation({
    id: "getBatch",
    method: "get",
    path: "/api/batches/:batchId",
    scope: "documents:read",
    tag: "Batches",
    summary: "Read a batch",
    description:
      "How far it is, and a page of its documents in the order in which they were sent.",
    params: batchParams,
    query: z.strictObject(pageQuery),
    reply: { description: "The batch.", schema: batchDetail },
    errors: [404],
    handle: ({ caller, params, query }) =>
      batches.get(caller.organizationId, params.batchId, pageOf(query)),
  });
}

function cancel(batches: Batches): Operation {
  return operation({
    id: "cancelBatch",
    method: "post",
    path: "/api/batches/:batchId/cancel",
    scope: "documents:write",
    tag: "Batches",
    summary: "Cancel a batch",
    description:
      "Documents that are not being rendered yet end as `failed` with the error `cancelled`; the others are finished. " +
      "To cancel twice is no error.",
    params: batchParams,
    reply: {
      description: "The batch, with its first documents.",
      schema: batchDetail,
    },
    errors: [404, 409],
    handle: async ({ caller: { organizationId }, params: { batchId } }) => {
      await batches.cancel(organizationId, batchId);
      return batches.get(organizationId, batchId, pageOf({}));
    },
  });
}

function retry(batches: Batches): Operation {
  return operation({
    id: "retryBatch",
    method: "post",
    path: "/api/batches/:batchId/retry",
    scope: "documents:write",
    tag: "Batches",
    summary: "Retry the failed documents of a batch",
    description:
      "Makes a new batch of them, with `retryOf`, from the same records and the same version of the template. Of a " +
      "completed batch, once, and as long as its records are kept: until its files expire.",
    params: batchParams,
    reply: {
      status: 202,
      description: "The new batch, with every document queued.",
      schema: acceptedBatch,
    },
    errors: [404, 409],
    handle: async ({ caller, params }) => {
      const { organizationId } = caller;
      const { id } = await batches.retry(caller, params.batchId);
      return Readable.from(await batches.answer(organizationId, id));
    },
  });
}

function archive(batches: Batches): Operation {
  return operation({
    id: "downloadBatch",
    method: "get",
    path: "/api/batches/:batchId/archive",
    scope: "documents:read",
    tag: "Batches",
    summary: "Download all files of a batch",
    description:
      "A ZIP of what is ready and has not expired, made while it is sent. Files have the names of their documents; " +
      "equal names are numbered.",
    params: batchParams,
    reply: {
      description: "The archive.",
      mimeType: "application/zip",
      schema: z.string().meta({ format: "binary" }),
    },
    errors: [404, 409, 410],
    handle: async ({ caller, params: { batchId }, ctx }) => {
      const entries = await batches.archive(caller.organizationId, batchId);
      ctx.attachment(`${batchId}.zip`);
      return zipOf(entries);
    },
  });
}

/** The next file is opened when the one before is sent. */
function zipOf(entries: AsyncIterable<ArchiveEntry>): Readable {
  const files = async function* () {
    for await (const { name, modifiedAt, content } of entries)
      yield { name, lastModified: modifiedAt, input: content };
  };
  return Readable.fromWeb(makeZip(files()));
}
