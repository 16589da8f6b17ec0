import type { Answer, Api, Body, OperationId, Schemas } from "./calls.js";
import { PlatenFile } from "./files.js";
import { type RequestOptions, sleep } from "./http.js";

/** A batch as the service has it now, with a page of its documents. */
export type Batch = Schemas["Batch"];
export type BatchItem<Data = object> = Omit<
  NonNullable<Body<"exportBatch">["items"]>[number],
  "data"
> & { data?: Data };

type AnyItems<Item> = Iterable<Item> | AsyncIterable<Item>;

/** The body of a batch; its items may be made as they are sent. */
export type BatchInput<Data = object> = Omit<
  Body<"exportBatch">,
  "items" | "documents"
> & {
  /**
   * An array, or anything that can be iterated, which is sent as a stream. A function that returns it lets the request be
   * retried; without one, a stream is sent once.
   */
  items: AnyItems<BatchItem<Data>> | (() => AnyItems<BatchItem<Data>>);
};

/** The settings of a batch that is made of the rows of a file. */
export type FileBatchInput = Schemas["FileBatchRequest"] & {
  /** The name that people see; default: that of a `File`. */
  fileName?: string | undefined;
  /** A second file, with the tables that `join` describes, unless they are sheets of the first. */
  joinFile?: Blob | undefined;
};

export interface WaitOptions extends Pick<RequestOptions, "signal"> {
  /** Called whenever the batch was read. */
  onProgress?: ((batch: Batch) => void) | undefined;
  /** Milliseconds between two looks at most; it begins with a tenth. Default: 5,000. */
  interval?: number | undefined;
  /** Waits also until the files are written into the records of the platform. */
  untilSaved?: boolean | undefined;
}

/** A document of a batch, with its files. */
export type BatchDocument = Schemas["BatchDocument"] & {
  files: PlatenFile[];
};

/** A batch that the service has accepted. */
export class BatchJob {
  readonly #api: Api;
  readonly #toFiles: (outputs: Schemas["Output"][]) => PlatenFile[];

  constructor(
    readonly id: string,
    api: Api,
    toFiles: (outputs: Schemas["Output"][]) => PlatenFile[],
  ) {
    this.#api = api;
    this.#toFiles = toFiles;
  }

  /** The batch as it is now, with a page of its documents. */
  async get(
    query: { page?: number; pageSize?: number } = {},
    options: RequestOptions = {},
  ): Promise<Batch> {
    const input = { ids: [this.id], query };
    return (await this.#api.call("getBatch", input, options)).data;
  }

  /** Resolves when every document has ended, well or not: `counts` says how many succeeded, failed and expired. */
  async wait(options: WaitOptions = {}): Promise<Batch> {
    const isDone = ({ status, counts, writeBack }: Batch) =>
      status === "completed" &&
      (!options.untilSaved ||
        writeBack === null ||
        writeBack.succeeded + writeBack.failed >= counts.succeeded);
    for await (const batch of this.#watch({ page: 1, pageSize: 1 }, options))
      if (isDone(batch)) return batch;
    throw new Error("unreachable");
  }

  /** All documents in the order of their items, each as soon as it and those before it have ended. */
  async *documents(
    options: WaitOptions = {},
  ): AsyncGenerator<BatchDocument, void, undefined> {
    const pageSize = 100;
    const query = { page: 1, pageSize };
    let onPage = 0;
    for await (const batch of this.#watch(query, options)) {
      for (const document of batch.documents.slice(onPage)) {
        if (document.status === "queued" || document.status === "rendering")
          break;
        onPage += 1;
        yield { ...document, files: this.#toFiles(document.outputs) };
      }
      if ((query.page - 1) * pageSize + onPage >= batch.totalCount) return;
      if (onPage < pageSize) continue;
      query.page += 1;
      onPage = 0;
    }
  }

  /** Reads the batch again and again: soon at first and after progress, seldomer without. */
  async *#watch(
    query: { page: number; pageSize: number },
    { signal, onProgress, interval = 5_000 }: WaitOptions,
  ): AsyncGenerator<Batch, never, undefined> {
    const shortest = interval / 10;
    let wait = shortest;
    let before = -1;
    for (;;) {
      const { page } = query;
      const batch = await this.get(query, { signal });
      onProgress?.(batch);
      yield batch;
      // The next page may have ended already.
      if (query.page !== page) continue;
      wait =
        batch.progress > before ? shortest : Math.min(wait * 1.5, interval);
      before = batch.progress;
      await sleep(wait, signal);
    }
  }

  /** A ZIP of all finished files, made as it is downloaded. */
  archive(): PlatenFile {
    return this.#download("downloadBatch", {
      label: "archive",
      mimeType: "application/zip",
      extension: "zip",
    });
  }

  /**
   * One PDF of all documents. Resolves when it is stored; it must have been requested with the batch, or by `merge`.
   * @throws PlatenApiError when it cannot be made, or was not requested
   */
  async merged(options: WaitOptions = {}): Promise<PlatenFile> {
    const query = { page: 1, pageSize: 1 };
    for await (const { merged } of this.#watch(query, options))
      if (merged?.status !== "pending") break;
    return this.#download("downloadMergedBatch", {
      label: "merged",
      mimeType: "application/pdf",
      extension: "pdf",
    });
  }

  /** Requests one PDF of all documents, also once more with other options. `merged` waits for it. */
  async merge(
    request: Body<"mergeBatch"> = {},
    options: RequestOptions = {},
  ): Promise<void> {
    const input = { ids: [this.id], body: request };
    await this.#api.call("mergeBatch", input, options);
  }

  /** The rows of the file that the batch was made of, with links to their documents, as a workbook. */
  table(): PlatenFile {
    return this.#download("downloadBatchTable", {
      label: "table",
      mimeType:
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      extension: "xlsx",
    });
  }

  #download(
    id: OperationId,
    { extension, ...type }: Record<"label" | "mimeType" | "extension", string>,
  ): PlatenFile {
    const request = this.#api.request(id, { ids: [this.id] }, {});
    const details = {
      ...type,
      url: this.#api.transport.baseUrl + request.path,
      sizeBytes: null,
      checksum: null,
      filename: `${this.id}.${extension}`,
    };
    return new PlatenFile(details, (options) =>
      this.#api.transport.send(request, async (response) => response, options),
    );
  }

  /** Tries failed deliveries again; those that may have arrived only with `unknown`. */
  async retryDeliveries(
    request: Body<"retryBatchDeliveries"> = {},
    options: RequestOptions = {},
  ): Promise<void> {
    const input = { ids: [this.id], body: request };
    await this.#api.call("retryBatchDeliveries", input, options);
  }

  /** Ends what has not begun; documents that are being rendered are finished. */
  async cancel(options: RequestOptions = {}): Promise<Batch> {
    const input = { ids: [this.id] };
    return (await this.#api.call("cancelBatch", input, options)).data;
  }

  /** Makes a batch of the failed and expired documents. */
  async retry(options: RequestOptions = {}): Promise<BatchJob> {
    const input = { ids: [this.id] };
    const { data } = await this.#api.call("retryBatch", input, options);
    return new BatchJob(data.batchId, this.#api, this.#toFiles);
  }
}

/** The batch when it is accepted; `wait` and `documents` may be called at once. */
export type PendingBatch = Promise<BatchJob> &
  Pick<BatchJob, "wait" | "documents">;

export function toPendingBatch(accepted: Promise<BatchJob>): PendingBatch {
  return Object.assign(accepted, {
    wait: async (options?: WaitOptions) => (await accepted).wait(options),
    documents: async function* (options?: WaitOptions) {
      yield* (await accepted).documents(options);
    },
  });
}

/** Sends the items of a batch, as a stream unless they are an array. */
export async function sendBatch(
  api: Api,
  { items, ...settings }: BatchInput<unknown>,
  options: RequestOptions,
): Promise<Answer<"exportBatch">> {
  if (Array.isArray(items)) {
    const input = { body: { ...settings, items } };
    return (await api.call("exportBatch", input, options)).data;
  }
  const content = {
    headers: { "content-type": "application/json" },
    body: () =>
      toStream(
        writeBatch(settings, typeof items === "function" ? items() : items),
      ),
    isSentOnce: typeof items !== "function",
  };
  return (await api.call("exportBatch", { content }, options)).data;
}

/** Sends a file, a blob of which is read as it is sent. */
export async function sendFile<Id extends "exportFileBatch" | "inspectFile">(
  api: Api,
  id: Id,
  file: Blob,
  { fileName, joinFile, ...request }: Omit<FileBatchInput, "formats">,
  options: RequestOptions,
): Promise<Answer<Id>> {
  const form = new FormData();
  form.append("request", JSON.stringify(request));
  form.append("file", file, fileName ?? getName(file));
  if (joinFile) form.append("join", joinFile, getName(joinFile));
  const content = { headers: {}, body: () => form };
  return (await api.call(id, { content }, options)).data;
}

function getName(file: Blob): string {
  return "name" in file && typeof file.name === "string" ? file.name : "file";
}

/** The JSON of a batch, in pieces of about 64 kB. */
async function* writeBatch(
  settings: object,
  items: AnyItems<unknown>,
): AsyncGenerator<string, void, undefined> {
  let text = `${JSON.stringify(settings).slice(0, -1)},"items":[`;
  let separator = "";
  for await (const item of items) {
    text += separator + JSON.stringify(item);
    separator = ",";
    if (text.length < 65_536) continue;
    yield text;
    text = "";
  }
  yield `${text}]}`;
}

function toStream(
  pieces: AsyncGenerator<string, void, undefined>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return();
    },
  });
}
