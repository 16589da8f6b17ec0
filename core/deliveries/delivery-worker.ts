import { createHash, randomUUID } from "node:crypto";
import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import { type FindOptionsWhere, In } from "typeorm";
import type { Config } from "../../config/index.js";
import {
  describeClippedHtml,
  describeTemplate,
  findClippedHtml,
  getAcceptedTemplate,
  type MergedTexts,
  ProgramCache,
  safeFileName,
  Numbers,
  TemplateMails,
} from "../documents/index.js";
import type { DeliveryConnection } from "../integrations/connections/index.js";
import {
  findPlatformError,
  getRateLimitDelay,
  isRetryable,
} from "../integrations/host/index.js";
import { clock } from "../lib/clock.js";
import { escapeXml } from "../lib/escape-xml.js";
import { splitTemplate } from "../definition/index.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import {
  Deadline,
  describeProblem,
  type DeliveryFile,
  type DeliveryMessage,
  type DeliveryReceipt,
  type DeliveryRequest,
  type FileStore,
  formatError,
  getOutputSuffix,
  hasRequestedFormat,
  type Log,
  type Metrics,
  PlatenError,
} from "../plugin-api/index.js";
import {
  type JobOutcome,
  type Queue,
  type RunningJob,
  QUEUE,
} from "../queue/index.js";
import {
  Batch,
  Delivery,
  Document,
  DocumentRecord,
  getDatabaseTime,
  getTimeUntilDue,
  isDuplicate,
  type Store,
  STORE,
} from "../storage/database/index.js";
import {
  FILE_STORE,
  LOG,
  METRICS,
  RENDER_TIMEOUT_MS,
  CONFIG,
} from "../lib/process-values.js";
import { DELIVERY_JOB, getTarget, listTexts } from "./deliveries.js";
import { DeliveryConnections } from "./delivery-connections.js";

/** The deliveries that this process makes at once; most of the time, it waits for other servers. */
const maxConcurrentDeliveries = 32;
/** Of one connection, on all nodes together. */
const maxPerConnection = 8;
/** The longest time that a job waits for a rate limit; after that, it leaves its slot to others. */
const maxWaitMs = 1000;

/** A delivery whose files and texts are ready. */
interface ReadyDelivery {
  connection: DeliveryConnection;
  request: DeliveryRequest;
  place: string | null;
  warnings: string[];
}

/** Makes one delivery for each job, and stores the result. */
@scoped(Lifecycle.ContainerScoped)
export class DeliveryWorker {
  readonly #count: (labels: {
    outcome: "succeeded" | "retried" | "failed" | "unknown";
  }) => void;

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(ProgramCache) private readonly programs: ProgramCache,
    @inject(TemplateMails) private readonly mails: TemplateMails,
    @inject(Numbers) private readonly numbers: Pick<Numbers, "listOf">,
    @inject(DeliveryConnections)
    private readonly connections: DeliveryConnections,
    @inject(CONFIG) private readonly config: Pick<Config, "platforms">,
    @inject(RENDER_TIMEOUT_MS) private readonly renderTimeoutMs: number,
    @inject(METRICS) metrics: Metrics,
    @inject(LOG) private readonly log: Log,
  ) {
    this.#count = metrics.counter({
      name: "platen_deliveries_total",
      help: "Attempts at delivering a document, by how they ended.",
      labels: ["outcome"],
    });
  }

  /** The worker runs once the queue is started. */
  register(): void {
    this.queue.work(
      DELIVERY_JOB,
      {
        concurrency: maxConcurrentDeliveries,
        maxPerPartition: maxPerConnection,
        leavesSlotsFree: true,
      },
      (job) => this.#work(job),
      (id, attempts) => this.#poison(id, attempts),
    );
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    const row = await this.#find(job.rowId);
    if (row === null) return;
    const wait = await getTimeUntilDue(this.store.read, row);
    if (wait > 0) return { again: wait };
    let ready: ReadyDelivery;
    try {
      const connection = await this.connections.open(
        row.organizationId,
        row.connectionId,
      );
      if (
        row.status === "sending" &&
        !connection.method.capabilities.repeatable
      )
        return await this.#end(row, "unknown", interruptedText);
      ready = await this.#prepare(row, connection, job.signal);
    } catch (error) {
      if (job.signal.aborted) throw error;
      return this.#retryOrFail(row, error);
    }
    const lockToken = randomUUID();
    const begun = await this.#begin(row, ready, lockToken);
    if (begun === "gone") return;
    if (begun === "taken")
      return this.#end(
        row,
        "failed",
        "Another document of this batch was delivered under the same name, which this one would replace. Add a field to `filename` or `folder` that is different in each record.",
      );
    Object.assign(row, { lockToken, attempts: row.attempts + 1 });
    return this.#deliver(job, row, ready);
  }

  async #deliver(
    job: RunningJob,
    row: Delivery,
    { connection: { method }, request, warnings: ownWarnings }: ReadyDelivery,
  ): Promise<JobOutcome> {
    let receipt: DeliveryReceipt;
    try {
      receipt = await method.deliver(request, {
        signal: job.signal,
        maxWaitMs,
      });
    } catch (error) {
      return this.#handleFailure(row, method.capabilities.repeatable, error);
    }
    const warnings = [...ownWarnings, ...(receipt.warnings ?? [])];
    if (warnings.length > 0) receipt = { ...receipt, warnings };
    await this.#complete(row, { status: "succeeded", receipt, error: null });
  }

  async #find(id: string): Promise<Delivery | null> {
    const row = await this.store.read.findOneBy(Delivery, { id });
    const isOver = row?.status !== "pending" && row?.status !== "sending";
    return isOver ? null : row;
  }

  /** Reads and merges all that is delivered. @throws PlatenError when it cannot be delivered. */
  async #prepare(
    row: Delivery,
    connection: DeliveryConnection,
    signal: AbortSignal,
  ): Promise<ReadyDelivery> {
    const { read } = this.store;
    const { organizationId, documentId, settings, batchId } = row;
    const isStrict = await this.#readStrictness(row);
    const document = await read.findOneByOrFail(Document, { id: documentId });
    if (document.expiresAt <= clock.date()) throw createExpiredError();
    const record = await read.findOneBy(DocumentRecord, { documentId });
    if (record === null) throw createExpiredError();
    const data: object = JSON.parse(record.data);
    const { method } = connection;
    const merge = (sources: Record<string, string>) =>
      this.#mergeTexts(document, sources, data, signal);
    const { values: texts, missing } = method.capabilities.message
      ? await mergeAddresses(listTexts(settings, method), merge)
      : await merge(listTexts(settings, method));
    const { filename = "", subject = "", body = "", ...values } = texts;
    const target = { ...getTarget(settings), ...values };
    const name = safeFileName(filename.trim() || (document.fileName ?? ""));
    const files = this.#listFiles(document, settings.formats, name);
    const isLinked = settings.files === "link";
    const message = method.capabilities.message
      ? await this.#createMessage(
          { organizationId, settings, subject, body, name },
          isLinked ? files : [],
          { id: row.id, data, document },
          signal,
        )
      : undefined;
    const warnings = [
      ...missing.flatMap(({ path, component }) =>
        component === "subject" || component === "body"
          ? `The data has no ${path}, which \`${component}\` prints.`
          : [],
      ),
      ...(message?.problems ?? []),
    ];
    if (isStrict && warnings.length > 0)
      throw new PlatenError(
        "merge_failed",
        `The email was not sent because strict is true and the email would be incomplete. ${listSome(warnings).join(" ")}`,
      );
    const request: DeliveryRequest = {
      id: row.id,
      target,
      files: isLinked ? [] : files,
      ...(message && { message: message.content }),
    };
    const place =
      method.capabilities.message || batchId === null
        ? null
        : createPlace(row, target, name);
    return { connection, request, place, warnings: listSome(warnings) };
  }

  /**
   * Whether the batch refuses incomplete emails.
   * @throws PlatenError `conflict` for a cancelled one; a retry that a person asked for after the cancellation goes on.
   */
  async #readStrictness({ batchId, retriedAt }: Delivery): Promise<boolean> {
    if (batchId === null) return false;
    const batch = await this.store.read.findOneOrFail(Batch, {
      where: { id: batchId },
      select: { id: true, cancelledAt: true, strict: true },
    });
    const { cancelledAt, strict } = batch;
    if (cancelledAt === null || (retriedAt && retriedAt > cancelledAt))
      return strict;
    throw new PlatenError("conflict", "cancelled");
  }

  /** The values of expressions, read from the record by the rules of the document's template. */
  async #mergeTexts(
    document: Document,
    sources: Record<string, string>,
    data: object,
    signal: AbortSignal,
  ): Promise<MergedTexts> {
    const { organizationId } = document;
    const template = await getAcceptedTemplate(this.store.read, document);
    const call = {
      organizationId,
      subject: describeTemplate(template),
      deadline: Deadline.after(this.renderTimeoutMs, signal),
      definition: template.definition,
    };
    const program = await this.programs.program(template, call);
    const { locale } = document;
    const options = {
      isTest: false,
      now: clock.date(),
      numbers: await this.numbers.listOf(document.id),
      ...(locale !== null && { locale }),
    };
    return program.texts({ data, options, sources }, call);
  }

  #listFiles(
    { id, outputs, formats }: Document,
    wanted: Delivery["settings"]["formats"],
    name: string,
  ): (DeliveryFile & { url: string })[] {
    return outputs
      .filter((output) => hasRequestedFormat(output, wanted ?? formats))
      .map(({ label, storageKey, mimeType, sizeBytes, url }) => {
        const open = async () => {
          const file = await this.files.open(storageKey);
          if (file === null) throw createExpiredError();
          return file.stream;
        };
        return {
          key: `${id}/${label}`,
          filename: `${name}${getOutputSuffix(label)}${extname(storageKey)}`,
          contentType: mimeType,
          sizeBytes,
          url,
          open,
          bytes: async () => buffer(await open()),
          // Valid for as long as the document is.
          publicUrl: async () => url,
        };
      });
  }

  async #createMessage(
    {
      organizationId,
      settings: { template },
      subject,
      body,
      name,
    }: Pick<Delivery, "organizationId" | "settings"> & {
      subject: string;
      body: string;
      name: string;
    },
    links: readonly { filename: string; url: string }[],
    { id, data, document }: { id: string; data: object; document: Document },
    signal: AbortSignal,
  ): Promise<{ content: DeliveryMessage; problems: string[] }> {
    const line = toOneLine(subject);
    if (template === undefined) {
      const text = [body, ...links.map(writeLink)].filter(Boolean);
      const content = { subject: line || name, text: text.join("\n\n") };
      return { content, problems: [] };
    }
    const [first] = links;
    const mail = await this.mails.render(
      organizationId,
      template,
      {
        id,
        data: first
          ? { documentUrl: first.url, documentName: first.filename, ...data }
          : data,
        locale: document.locale,
        numbers: await this.numbers.listOf(document.id),
      },
      signal,
    );
    // The template may have placed it already.
    const missing = links.filter(
      ({ url }) =>
        !mail.html.includes(url) && !mail.html.includes(escapeXml(url)),
    );
    const html = appendLinks(mail.html, missing);
    const content: DeliveryMessage = {
      subject: line || toOneLine(mail.subject) || name,
      text: [mail.text, ...missing.map(writeLink)].join("\n\n"),
      html,
      images: mail.images.map((image) => ({
        id: image.id,
        bytes: image.bytes,
        contentType: image.mimeType,
        filename: image.fileName,
      })),
    };
    const clipped = findClippedHtml(Buffer.byteLength(html));
    const problems = [
      ...mail.problems.map(describeProblem),
      ...clipped.map(describeClippedHtml),
    ];
    return { content, problems };
  }

  /** Notes that the attempt starts, before anything leaves the service. */
  async #begin(
    { id, attempts }: Delivery,
    { request: { target }, place }: ReadyDelivery,
    lockToken: string,
  ): Promise<"begun" | "gone" | "taken"> {
    try {
      return await this.store.unitOfWork.run(async (tx) => {
        const { affected } = await tx.update(Delivery, unfinished({ id }), {
          status: "sending",
          target: { ...target },
          place,
          lockToken,
          attempts: attempts + 1,
          error: null,
          updatedAt: clock.date(),
        });
        return affected === 1 ? "begun" : "gone";
      });
    } catch (error) {
      if (isDuplicate(error)) return "taken";
      throw error;
    }
  }

  async #handleFailure(
    row: Delivery,
    isRepeatable: boolean,
    error: unknown,
  ): Promise<JobOutcome> {
    const refusal = findPlatformError(error);
    const isAmbiguous = refusal === null || refusal.code === "unavailable";
    const wasSent = getRateLimitDelay(error) === null && isAmbiguous;
    if (!isRepeatable && wasSent) {
      const { documentId, batchId } = row;
      this.log.warn(
        { documentId, batchId, err: error },
        "a delivery may have arrived",
      );
      return this.#end(row, "unknown", formatError(error));
    }
    return this.#retryOrFail(row, error);
  }

  async #retryOrFail(row: Delivery, error: unknown): Promise<JobOutcome> {
    const { documentId, batchId, attempts } = row;
    const text = formatError(error);
    const rateLimitDelay = getRateLimitDelay(error);
    const wasBegun = row.lockToken !== null;
    if (rateLimitDelay !== null)
      return this.#postpone(row, rateLimitDelay, {
        attempts: wasBegun ? attempts - 1 : attempts,
        error: text,
      });
    const fields = { documentId, batchId, attempts, err: error };
    this.log.warn(fields, "a delivery failed");
    const tried = wasBegun ? attempts : attempts + 1;
    const delay = this.config.platforms.writeBackDelaysMs[tried - 1];
    if (!isRetryable(error) || delay === undefined)
      return this.#end(row, "failed", text);
    this.#count({ outcome: "retried" });
    return this.#postpone(row, delay, { attempts: tried, error: text });
  }

  async #postpone(
    row: Delivery,
    delayMs: number,
    changes: Pick<Delivery, "attempts" | "error">,
  ): Promise<JobOutcome> {
    const again = clock.pause(delayMs);
    return this.store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      const nextAttemptAt = new Date(now.getTime() + again);
      const { affected } = await tx.update(Delivery, unfinished(row), {
        ...changes,
        status: "pending",
        lockToken: null,
        nextAttemptAt,
        updatedAt: now,
      });
      return affected === 1 ? { again } : undefined;
    });
  }

  #end(
    row: Delivery,
    status: "failed" | "unknown",
    error: string,
  ): Promise<void> {
    return this.#complete(row, { status, error, receipt: null });
  }

  /** Stores the result, unless another attempt has started since; also that of one that was given up too early. */
  async #complete(
    row: Delivery,
    result: Pick<Delivery, "receipt" | "error"> & {
      status: "succeeded" | "failed" | "unknown";
    },
  ): Promise<void> {
    const at = clock.date();
    const { affected } = await this.store.unitOfWork.run((tx) =>
      tx.update(Delivery, unfinished(row, "unknown"), {
        ...result,
        nextAttemptAt: null,
        completedAt: at,
        updatedAt: at,
      }),
    );
    if (affected === 1) this.#count({ outcome: result.status });
  }

  /** A delivery at which the process ended on each attempt. */
  async #poison(id: string, attempts: number): Promise<void> {
    const row = await this.#find(id);
    if (row === null) return;
    const isUnknown = row.status === "sending";
    await this.#end(
      row,
      isUnknown ? "unknown" : "failed",
      isUnknown
        ? interruptedText
        : `The process that prepared this delivery ended ${attempts} times. Retry the delivery.`,
    );
  }
}

/** A filter for a delivery that is not over, and is still under the attempt that a row names. */
function unfinished(
  { id, lockToken }: Pick<Delivery, "id"> & { lockToken?: string | null },
  ...others: Delivery["status"][]
): FindOptionsWhere<Delivery> {
  return {
    id,
    status: In(["pending", "sending", ...others]),
    ...(lockToken && { lockToken }),
  };
}

const interruptedText =
  "The process ended while this was being delivered, so it may have arrived or not. Ask the recipient; if it did not arrive, retry the delivery.";

function createExpiredError(): PlatenError {
  return new PlatenError(
    "gone",
    "The file expired before it could be delivered. Render the record again.",
  );
}

/** Where a file goes; equal for files that would replace each other. */
function createPlace(
  { connectionId, plugin, settings: { formats } }: Delivery,
  target: Record<string, unknown>,
  name: string,
): string {
  const place = [plugin, connectionId, target, name, formats ?? null];
  return createHash("sha256").update(JSON.stringify(place)).digest("hex");
}

const maxWarnings = 20;

function listSome(warnings: readonly string[]): string[] {
  const more = warnings.length - maxWarnings;
  return more > 0
    ? [...warnings.slice(0, maxWarnings), `And ${more} more.`]
    : [...warnings];
}

function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}

function writeLink({ filename, url }: { filename: string; url: string }) {
  return `${filename}: ${url}`;
}

/** Before the end of the body. */
function appendLinks(
  html: string,
  links: readonly { filename: string; url: string }[],
): string {
  const added = links
    .map(
      ({ filename, url }) =>
        `<p><a href="${escapeXml(url)}">${escapeXml(filename)}</a></p>`,
    )
    .join("");
  const end = html.lastIndexOf("</body>");
  return end === -1
    ? html + added
    : html.slice(0, end) + added + html.slice(end);
}

const messageTexts: ReadonlySet<string> = new Set([
  "filename",
  "subject",
  "body",
]);

/**
 * Merges the texts of a mail. Where an expression stands for the name before an address in angle brackets, the characters
 * of its value that could end the name are left out: nobody's name may send a document to somebody else.
 */
async function mergeAddresses(
  texts: Readonly<Record<string, string>>,
  merge: (sources: Record<string, string>) => Promise<MergedTexts>,
): Promise<MergedTexts> {
  const sources: Record<string, string> = {};
  const split = new Map<string, ReturnType<typeof splitTemplate>>();
  for (const [field, text] of Object.entries(texts))
    if (messageTexts.has(field)) sources[field] = text;
    else {
      const parts = splitTemplate(text);
      split.set(field, parts);
      for (const [index, inner] of parts.inner.entries())
        sources[toExpressionName(field, index)] = `{{${inner}}}`;
    }
  const { values, missing } = await merge(sources);
  const merged = Object.entries(texts).map(([field]): [string, string] => {
    const parts = split.get(field);
    if (!parts) return [field, values[field] ?? ""];
    const { literals } = parts;
    let isQuoted = false;
    const joined = literals.map((literal, index) => {
      for (const letter of literal) if (letter === '"') isQuoted = !isQuoted;
      if (index === literals.length - 1) return literal;
      const value = values[toExpressionName(field, index)] ?? "";
      const rest = literals.slice(index + 1).join("");
      const isName = isQuoted || /^[^,;<>]*</.test(rest);
      return literal + (isName ? toPlainName(value, isQuoted) : value);
    });
    return [field, joined.join("")];
  });
  return { values: Object.fromEntries(merged), missing };
}

function toExpressionName(field: string, index: number): string {
  return `${field} ${index}`;
}

/** A name without what ends it: inside quotation marks, only these do. */
function toPlainName(name: string, isQuoted: boolean): string {
  const special = isQuoted
    ? /["\\\p{Cc}]+/gu
    : /["\\<>()[\],;:@\p{Cc}\u2028\u2029]+/gu;
  return name.replaceAll(special, " ");
}
