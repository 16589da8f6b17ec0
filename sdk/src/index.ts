import {
  type BatchInput,
  BatchJob,
  type FileBatchInput,
  type PendingBatch,
  sendBatch,
  sendFile,
  toPendingBatch,
} from "./batches.js";
import {
  type Answer,
  Api,
  type Body,
  type Call,
  type OperationId,
  type Query,
  type Schemas,
} from "./calls.js";
import { type FileDetails, PlatenFile } from "./files.js";
import { type PlatenOptions, type RequestOptions, Transport } from "./http.js";
import { verifyWebhook } from "./webhooks.js";

export { BatchJob } from "./batches.js";
export type {
  Batch,
  BatchDocument,
  BatchInput,
  BatchItem,
  FileBatchInput,
  PendingBatch,
  WaitOptions,
} from "./batches.js";
export { PlatenFile } from "./files.js";
export type { FileDetails } from "./files.js";
export { PlatenApiError, PlatenConnectionError } from "./http.js";
export type { ApiProblem, PlatenOptions, RequestOptions } from "./http.js";
export { PlatenWebhookError, verifyWebhook } from "./webhooks.js";
export type {
  VerifyOptions,
  WebhookEvent,
  WebhookHeaders,
} from "./webhooks.js";
export { readDataTypes, writeDataTypes } from "./data-types.js";
export type { DescribedTemplate } from "./data-types.js";
export type { Answer, Body, OperationId, Query, Schemas } from "./calls.js";

export type Format = "pdf" | "html" | "image" | "mjml" | "xml";

/**
 * The data of templates by their ids. Empty here: `npx platen types` writes a file that adds yours, and then `render` and
 * batches check the data of these templates.
 */
// eslint-disable-next-line typescript/no-empty-object-type
export interface Templates {}

/** What the template with this id takes. */
export type DataOf<Id extends string> = Id extends keyof Templates
  ? Templates[Id]
  : object;

export type RenderOptions<Formats extends readonly Format[]> = Omit<
  Body<"exportDocument">,
  "templateId" | "definition" | "templateType" | "data" | "formats"
> & {
  /** Default: `["pdf"]`. */
  formats?: Formats;
};

/** A definition that is rendered without being saved. */
export type InlineRender<Formats extends readonly Format[]> = Omit<
  Body<"exportDocument">,
  "templateId" | "templateVersion" | "definition" | "data" | "formats"
> & {
  definition: Schemas["Definition"];
  data?: object;
  /** Default: `["pdf"]`. */
  formats?: Formats;
};

/** An image, which is that of the first page that was selected. */
export type ImageFile = PlatenFile & { pages: PlatenFile[] };
interface Files {
  pdf: PlatenFile;
  html: PlatenFile;
  image: ImageFile;
  mjml: PlatenFile;
  /** The electronic invoice of a template with `einvoice`. */
  xml: PlatenFile;
}

/** A document with a file for each format. */
export type Rendered<F extends Format = Format> = Pick<Files, F> & {
  documentId: string;
  /** The file of the first format. */
  file: PlatenFile;
  /** What the document wanted and did not get; `documents.get(documentId)` lists it in `metadata.platen.report`. */
  warningCount: number;
  /** Present on documents that were sent for signature. */
  signature?: Answer<"exportDocument">["signature"];
};

/**
 * A client of one organization. Besides `render` and batches, each method is an operation of the API: the ids of its path, then
 * its body or query, then `RequestOptions`. Methods named `all` go through all pages of a list.
 */
export class Platen {
  readonly #api: Api;
  readonly templates;
  readonly documents;
  readonly batches;
  readonly assets;
  readonly folders;
  readonly partials;
  readonly brand;
  readonly signingCertificate;
  readonly webhooks;
  readonly signatures;
  readonly links;
  readonly automations;
  readonly sequences;
  readonly deliveries;
  readonly deliveryMethods;
  readonly connections;
  readonly platforms;
  readonly esignProviders;

  /** @throws TypeError in a browser, and without a usable URL and key */
  constructor(settings: PlatenOptions) {
    const api = new Api(new Transport(settings));
    this.#api = api;

    this.templates = {
      list: api.bind("listTemplates"),
      all: api.bindAll("listTemplates"),
      get: async (
        id: string,
        options: RequestOptions = {},
      ): Promise<Schemas["Template"]> => {
        const { data } = await api.call("getTemplate", { ids: [id] }, options);
        if ("definition" in data) return data;
        throw new TypeError("The service left out the template's definition.");
      },
      create: api.bind("createTemplate"),
      update: api.bind("updateTemplate"),
      redefine: api.bind("redefineTemplate"),
      validate: api.bind("validateData"),
      duplicate: api.bind("duplicateTemplate"),
      delete: api.bind("deleteTemplate"),
      restore: api.bind("restoreTemplate"),
      versions: api.bind("listTemplateVersions"),
      version: api.bind("getTemplateVersion"),
    };
    this.documents = {
      list: async (
        query: Omit<Query<"listDocuments">, "after"> = {},
        options: RequestOptions = {},
      ) => {
        const call = await api.call("listDocuments", { query }, options);
        const { data, pagination } = call.data;
        const { page = 1, pageSize, total = 0 } = pagination;
        return { data, pagination: { page, pageSize, total } };
      },
      all: api.bindAllAfter("listDocuments"),
      get: api.bind("getDocument"),
    };
    this.batches = {
      list: api.bind("listBatches"),
      all: api.bindAll("listBatches"),
      /** Queues a document for each item. */
      create: <const Id extends string>(
        input: { templateId: Id } & BatchInput<DataOf<Id>>,
        options: RequestOptions = {},
      ): PendingBatch => this.#toJob(sendBatch(api, input, options)),
      /** Queues a document for each record of a platform, such as `airtable`. */
      createFromRecords: (
        platform: string,
        input: Body<"exportPlatformBatch">,
        options: RequestOptions = {},
      ): PendingBatch => {
        const request = { ids: [platform], body: input };
        const reply = api.call("exportPlatformBatch", request, options);
        return this.#toJob(reply.then(({ data }) => data));
      },
      /** Queues a document for each row of a CSV file, a workbook, JSON or JSON Lines. */
      createFromFile: (
        file: Blob,
        input: FileBatchInput,
        options: RequestOptions = {},
      ): PendingBatch =>
        this.#toJob(sendFile(api, "exportFileBatch", file, input, options)),
      /** What a file has, and how its columns match the template's fields. Creates nothing. */
      inspectFile: (
        file: Blob,
        input: Omit<FileBatchInput, "formats">,
        options: RequestOptions = {},
      ): Promise<Answer<"inspectFile">> =>
        sendFile(api, "inspectFile", file, input, options),
      /** A batch that was accepted earlier. */
      open: (id: string): BatchJob => this.#openBatch(id),
      writeBack: api.bind("writeBackBatch"),
    };
    this.assets = {
      list: api.bind("listAssets"),
      all: api.bindAll("listAssets"),
      get: api.bind("getAsset"),
      create: api.bind("createAsset"),
      upload: this.#upload.bind(this),
      update: api.bind("updateAsset"),
      delete: api.bind("deleteAsset"),
      restore: api.bind("restoreAsset"),
      createUploadLink: api.bind("createUploadLink"),
    };
    this.folders = {
      list: api.bind("listFolders"),
      all: api.bindAll("listFolders"),
      create: api.bind("createFolder"),
      update: api.bind("updateFolder"),
      delete: api.bind("deleteFolder"),
    };
    this.partials = {
      list: api.bind("listPartials"),
      get: api.bind("getPartial"),
      create: api.bind("createPartial"),
      update: api.bind("updatePartial"),
      delete: api.bind("deletePartial"),
    };
    this.brand = {
      get: api.bind("getBrand"),
      replace: api.bind("replaceBrand"),
      findUses: api.bind("findBrandUses"),
    };
    this.signingCertificate = {
      get: api.bind("getSigningCertificate"),
      set: api.bind("setSigningCertificate"),
      delete: api.bind("deleteSigningCertificate"),
    };
    this.webhooks = {
      verify: verifyWebhook,
      list: api.bind("listWebhooks"),
      all: api.bindAll("listWebhooks"),
      get: api.bind("getWebhook"),
      create: api.bind("createWebhook"),
      update: api.bind("updateWebhook"),
      delete: api.bind("deleteWebhook"),
      rotateSecret: api.bind("rotateWebhookSecret"),
      test: api.bind("testWebhook"),
      deliveries: api.bind("listWebhookDeliveries"),
      delivery: api.bind("getWebhookDelivery"),
      replayDelivery: api.bind("replayWebhookDelivery"),
      replay: api.bind("replayWebhookDeliveries"),
    };
    this.signatures = {
      list: api.bind("listSignatures"),
      all: api.bindAll("listSignatures"),
      get: api.bind("getSignature"),
      cancel: api.bind("cancelSignature"),
      resend: api.bind("resendSignature"),
    };
    this.links = {
      list: api.bind("listLinks"),
      all: api.bindAll("listLinks"),
      get: api.bind("getLink"),
      create: api.bind("createLink"),
      update: api.bind("changeLink"),
      revoke: api.bind("revokeLink"),
    };
    this.sequences = {
      list: api.bind("listSequences"),
      update: api.bind("changeSequence"),
    };
    this.automations = {
      list: api.bind("listAutomations"),
      all: api.bindAll("listAutomations"),
      get: api.bind("getAutomation"),
      create: api.bind("createAutomation"),
      update: api.bind("changeAutomation"),
      delete: api.bind("deleteAutomation"),
      run: api.bind("runAutomation"),
      runs: api.bind("listAutomationRuns"),
    };
    this.deliveries = { retry: api.bind("retryDelivery") };
    this.deliveryMethods = {
      list: api.bind("listDeliveryMethods"),
      get: api.bind("getDeliveryMethod"),
    };
    this.connections = {
      list: api.bind("listConnections"),
      all: api.bindAll("listConnections"),
      get: api.bind("getConnection"),
      create: api.bind("createConnection"),
      update: api.bind("updateConnection"),
      delete: api.bind("deleteConnection"),
      test: api.bind("testConnection"),
      bases: api.bind("listConnectionBases"),
      tables: api.bind("listConnectionTables"),
    };
    this.platforms = {
      list: api.bind("listPlatforms"),
      get: api.bind("getPlatform"),
    };
    this.esignProviders = {
      list: api.bind("listEsignProviders"),
      get: api.bind("getEsignProvider"),
    };
  }

  /** Makes a document of one record. Checks the data of templates that `platen types` has written down. */
  render<
    const Id extends string,
    const Formats extends readonly Format[] = readonly ["pdf"],
  >(
    templateId: Id,
    data: DataOf<Id>,
    options?: RenderOptions<Formats> & RequestOptions,
  ): Promise<Rendered<Formats[number]>>;
  // A type that is written down, for data that comes from elsewhere.
  // oxlint-disable typescript/no-unnecessary-type-parameters
  /** With the type of the data. All formats are in the type of the result: one that was not asked for throws. */
  render<Data extends object = never>(
    templateId: string,
    data: NoInfer<Data>,
    options?: RenderOptions<readonly Format[]> & RequestOptions,
  ): Promise<Rendered>;
  // oxlint-enable typescript/no-unnecessary-type-parameters
  /** Makes a document of a definition that is not saved. The key needs the scope `templates:write` too. */
  render<const Formats extends readonly Format[] = readonly ["pdf"]>(
    inline: InlineRender<Formats>,
    options?: RequestOptions,
  ): Promise<Rendered<Formats[number]>>;
  async render(
    template: string | InlineRender<readonly Format[]>,
    dataOrOptions: object = {},
    options: RenderOptions<readonly Format[]> & RequestOptions = {},
  ): Promise<Rendered> {
    const isInline = typeof template === "object";
    const {
      signal,
      timeout,
      retries,
      idempotencyKey,
      ...rest
    }: RequestOptions & RenderOptions<readonly Format[]> = isInline
      ? dataOrOptions
      : options;
    const request = isInline
      ? template
      : { ...rest, templateId: template, data: dataOrOptions };
    const { formats = ["pdf"], data = {} } = request;
    const body: Body<"exportDocument"> = {
      ...request,
      formats: [...formats],
      data: { ...data },
    };
    const reply = await this.#api.call(
      "exportDocument",
      { body },
      { signal, timeout, retries, idempotencyKey },
    );
    return this.#toRendered(reply.data, reply.headers, formats);
  }

  /** What was used in a month, such as `2026-07`; this month by default. */
  usage(
    query: Query<"getUsage"> = {},
    options: RequestOptions = {},
  ): Promise<Answer<"getUsage">> {
    return this.#api.bind("getUsage")(query, options);
  }

  /** The files of a document, as it was listed or read. */
  files({ outputs }: { outputs: readonly Schemas["Output"][] }): PlatenFile[] {
    return outputs.map((output) => this.#toFile({ ...output, filename: null }));
  }

  /** Calls any operation by its id in the OpenAPI document, for example one that has no method here. */
  call<Id extends OperationId>(
    id: Id,
    ...args: Parameters<Call<Id>>
  ): Promise<Answer<Id>> {
    const call: Call<Id> = this.#api.bind(id);
    return call(...args);
  }

  #toRendered(
    result: Answer<"exportDocument">,
    headers: Headers,
    formats: readonly Format[],
  ): Rendered {
    const { pdf, html, image, mjml, xml, signature } = result;
    const files: Partial<Files> = {
      ...(pdf && { pdf: this.#toFile({ label: "pdf", ...pdf }) }),
      ...(html && { html: toInlineFile("html", html, html.htmlDocument) }),
      ...(image && {
        image: Object.assign(this.#toFile({ label: "image", ...image }), {
          pages: (image.pages ?? [image]).map((page) =>
            this.#toFile({ label: "image", ...page }),
          ),
        }),
      }),
      ...(mjml && { mjml: toInlineFile("mjml", mjml, mjml.mjmlDocument) }),
      ...(xml && { xml: this.#toFile({ label: "xml", ...xml }) }),
    };
    const get = <F extends Format>(format: F): Files[F] => {
      const file = files[format];
      if (file) return file;
      throw new TypeError(
        `The document has no ${format}: add "${format}" to formats.`,
      );
    };
    return {
      documentId: headers.get("x-document-id") ?? "",
      warningCount: Number(headers.get("x-render-warnings") ?? 0),
      signature,
      get pdf() {
        return get("pdf");
      },
      get html() {
        return get("html");
      },
      get image() {
        return get("image");
      },
      get mjml() {
        return get("mjml");
      },
      get xml() {
        return get("xml");
      },
      get file() {
        return get(formats[0] ?? "pdf");
      },
    };
  }

  #toFile(details: FileDetails): PlatenFile {
    const request = { method: "GET", path: details.url, isSafe: true };
    return new PlatenFile(details, (options) =>
      this.#api.transport.send(request, async (response) => response, options),
    );
  }

  #toJob(accepted: Promise<{ batchId: string }>): PendingBatch {
    return toPendingBatch(
      accepted.then(({ batchId }) => this.#openBatch(batchId)),
    );
  }

  #openBatch(id: string): BatchJob {
    return new BatchJob(id, this.#api, (outputs) => this.files({ outputs }));
  }

  /**
   * Uploads a file as it is. A `Blob` is streamed, on Node one of `fs.openAsBlob` from the disk; a stream is sent once, so
   * without retries, unless a function makes it.
   */
  async #upload(
    content: UploadContent | (() => UploadContent),
    query: Query<"createAsset">,
    options: RequestOptions = {},
  ): Promise<Schemas["Asset"]> {
    const input = {
      query,
      content: {
        headers: { "content-type": "application/octet-stream" },
        body: typeof content === "function" ? content : () => content,
        isSentOnce: content instanceof ReadableStream,
      },
    };
    return (await this.#api.call("createAsset", input, options)).data;
  }
}

export type UploadContent =
  Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Content that came with the response. */
function toInlineFile(
  label: string,
  details: Omit<FileDetails, "label" | "filename">,
  text: string,
): PlatenFile {
  return new PlatenFile(
    { ...details, label, filename: null },
    async () => new Response(text),
  );
}
