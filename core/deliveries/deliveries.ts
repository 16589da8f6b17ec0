import { type EntityManager, In } from "typeorm";
import {
  type DeliverOrder,
  type DocumentDeliveries,
  findBatch,
  DOCUMENT_DELIVERIES,
} from "../batches/index.js";
import { checkRootText } from "../definition/index.js";
import { getAcceptedTemplate, TemplateMails } from "../documents/index.js";
import type { DeliveryConnection } from "../integrations/connections/index.js";
import {
  CredentialsSchema,
  HOST_TARGET_FIELDS,
} from "../integrations/host/index.js";
import { chunksOf } from "../lib/chunks.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped, provide } from "../lib/injection.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import {
  createPartitionKey,
  type NewJob,
  type Queue,
  QUEUE,
} from "../queue/index.js";
import {
  type DeliverEntry,
  Delivery,
  Document,
  getDatabaseTime,
  insertRows,
  isId,
  newId,
  type PreparedDelivery,
  type Store,
  Template,
  User,
  STORE,
} from "../storage/database/index.js";
import { CHECK_DELIVER } from "../templates/index.js";
import { DeliveryConnections, SERVICE_MAIL } from "./delivery-connections.js";

/** Delivers a document to one target; the job's row is the delivery. */
export const DELIVERY_JOB = "document-delivery";

/** What the host reads of an entry; all else is the target. */
const hostFields: ReadonlySet<string> = new Set(HOST_TARGET_FIELDS);
/** Only for methods that take a message. */
const messageFields = ["subject", "body", "template", "files"] as const;
const maxEntries = 10;
const chunkSize = 500;

/** The target of an entry: what its delivery method declares. */
export function getTarget(entry: DeliverEntry): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) => !hostFields.has(name) && value !== undefined,
    ),
  );
}

/** The texts of an entry that may contain expressions, by their names. */
export function listTexts(
  entry: DeliverEntry,
  { target: schema }: DeliveryConnection["method"],
): Record<string, string> {
  const { filename, subject, body } = entry;
  const properties: Record<string, unknown> = Object(schema.properties);
  const target = Object.entries(getTarget(entry)).filter(
    ([name]) => !("enum" in Object(properties[name])),
  );
  return Object.fromEntries(
    [...Object.entries({ filename, subject, body }), ...target].flatMap(
      ([name, text]) => (typeof text === "string" ? [[name, text]] : []),
    ),
  );
}

@scoped(Lifecycle.ContainerScoped)
export class Deliveries implements DocumentDeliveries {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(DeliveryConnections)
    private readonly connections: DeliveryConnections,
    @inject(TemplateMails) private readonly mails: Pick<TemplateMails, "find">,
  ) {}

  async prepare(order: DeliverOrder): Promise<PreparedDelivery[] | null> {
    const entries =
      order.deliver ?? (await this.#findDefault(order.templateId)) ?? [];
    if (entries.length === 0) return null;
    const problems: Problem[] = [];
    if (entries.length > maxEntries)
      problems.push({
        path: "$.deliver",
        code: "too_big",
        message: `must have at most ${maxEntries} entries.`,
      });
    const prepared: PreparedDelivery[] = [];
    for (const [index, entry] of entries.slice(0, maxEntries).entries()) {
      const path = `$.deliver[${index}]`;
      const result = await this.#prepareEntry(order, entry, path);
      if (Array.isArray(result)) problems.push(...result);
      else prepared.push(result);
    }
    if (problems.length === 0) return prepared;
    throw new PlatenError(
      "invalid_request",
      "The documents cannot be delivered as requested.",
      { problems },
    );
  }

  /** @throws PlatenError `invalid_request` as `prepare` does. */
  async check(order: Omit<DeliverOrder, "definition">): Promise<void> {
    const { organizationId, templateId: id } = order;
    const { version } = await this.store.read.findOneOrFail(Template, {
      where: { id, organizationId },
      select: { id: true, version: true },
    });
    // Batches use the newest version.
    const choice = { ...order, templateVersion: version };
    const template = await getAcceptedTemplate(this.store.read, choice);
    await this.prepare({ ...order, definition: template.definition });
  }

  async #findDefault(templateId: string): Promise<DeliverEntry[] | null> {
    const template = await this.store.read.findOne(Template, {
      where: { id: templateId },
      select: { id: true, deliver: true },
    });
    return template?.deliver ?? null;
  }

  /** @returns the problems, if there are any. */
  async #prepareEntry(
    order: DeliverOrder,
    written: DeliverEntry,
    path: string,
  ): Promise<PreparedDelivery | Problem[]> {
    const { organizationId } = order;
    const { connection: name = SERVICE_MAIL } = written;
    const connection = await this.#tryToOpen(organizationId, name, path);
    if ("problem" in connection) return [connection.problem];
    const { method, id: connectionId } = connection;
    const entry = await this.#fillIn(order, written);
    const schema = await CredentialsSchema.compile(method.target);
    const problems = schema.validate(getTarget(entry), path);
    const { message: takesMessage } = method.capabilities;
    for (const field of messageFields)
      if (!takesMessage && entry[field] !== undefined)
        problems.push({
          path: `${path}.${field}`,
          code: "unsupported",
          message: `${method.title} delivers files without a message. Leave out ${field}.`,
        });
    if (entry.template !== undefined && entry.body !== undefined)
      problems.push({
        path: `${path}.body`,
        code: "conflict",
        message: "excludes template: set one of them.",
      });
    if (takesMessage && entry.template !== undefined)
      try {
        await this.mails.find(organizationId, entry.template);
      } catch (error) {
        problems.push(toProblem(error, `${path}.template`));
      }
    const definition = await order.definition();
    for (const [field, text] of Object.entries(listTexts(entry, method)))
      problems.push(...checkRootText(text, `${path}.${field}`, definition));
    if (problems.length > 0) return problems;
    return { connectionId, plugin: method.id, settings: entry };
  }

  async #tryToOpen(
    organizationId: string,
    name: string,
    path: string,
  ): Promise<DeliveryConnection | { problem: Problem }> {
    try {
      const id = name === SERVICE_MAIL ? null : name;
      return await this.connections.open(organizationId, id);
    } catch (error) {
      return { problem: toProblem(error, `${path}.connection`) };
    }
  }

  /** Names what depends on who asks. */
  async #fillIn(
    { createdById }: DeliverOrder,
    entry: DeliverEntry,
  ): Promise<DeliverEntry> {
    if (getTarget(entry).testTo !== "me") return entry;
    const user = await this.store.read.findOneByOrFail(User, {
      id: createdById,
    });
    return Object.assign({}, entry, { testTo: user.email });
  }

  async succeeded(
    tx: EntityManager,
    document: Pick<Document, "id" | "organizationId" | "batchId">,
    deliver: readonly PreparedDelivery[],
  ): Promise<void> {
    const now = await getDatabaseTime(tx);
    const { id: documentId, organizationId, batchId } = document;
    const rows = deliver.map(
      ({ connectionId, plugin, settings }, position): Delivery => ({
        id: newId(),
        organizationId,
        documentId,
        batchId,
        position,
        connectionId,
        plugin,
        status: "pending",
        settings,
        target: null,
        place: null,
        receipt: null,
        error: null,
        attempts: 0,
        lockToken: null,
        nextAttemptAt: now,
        retriedAt: null,
        createdAt: now,
        updatedAt: now,
        completedAt: null,
      }),
    );
    await insertRows(tx, Delivery, rows);
    await this.queue.enqueue(tx, rows.map(toDeliveryJob));
  }

  nudge(): void {
    this.queue.nudge(DELIVERY_JOB);
  }

  /**
   * Tries the failed deliveries of a batch again; those that may have arrived only `withUnknown`. @returns how many.
   * @throws PlatenError `not_found`; `conflict` when there is none; `gone` when their files have expired.
   */
  async retryBatch(
    organizationId: string,
    batchId: string,
    withUnknown: boolean,
  ): Promise<number> {
    const { read } = this.store;
    const { id } = await findBatch(read, organizationId, batchId);
    const rows = await read.find(Delivery, {
      where: {
        batchId: id,
        status: In(withUnknown ? ["failed", "unknown"] : ["failed"]),
      },
      select: { id: true, documentId: true },
    });
    if (rows.length > 0) return this.#retry(rows);
    const unknown = await read.countBy(Delivery, {
      batchId: id,
      status: "unknown",
    });
    throw new PlatenError(
      "conflict",
      unknown === 0
        ? "No delivery of this batch has failed, so there is nothing to retry."
        : `No delivery of this batch has failed, but ${unknown} may have arrived or not. Ask the recipients first; then set unknown to true to send these again.`,
    );
  }

  /**
   * Tries a failed delivery again, or one that may have arrived.
   * @throws PlatenError `not_found`; `conflict` for one that is not over or has succeeded; `gone`.
   */
  async retry(organizationId: string, id: string): Promise<void> {
    const row = isId(id)
      ? await this.store.read.findOneBy(Delivery, { id, organizationId })
      : null;
    if (row === null)
      throw new PlatenError("not_found", "There is no such delivery.");
    if (row.status !== "failed" && row.status !== "unknown")
      throw new PlatenError(
        "conflict",
        row.status === "succeeded"
          ? "This delivery has succeeded, so there is nothing to retry."
          : "This delivery is not over yet, so there is nothing to retry.",
      );
    await this.#retry([row]);
  }

  async #retry(
    rows: readonly Pick<Delivery, "id" | "documentId">[],
  ): Promise<number> {
    let total = 0;
    for (const some of chunksOf(rows, chunkSize))
      total += await this.#retryChunk(some);
    if (total === 0)
      throw new PlatenError(
        "gone",
        "The files have expired. Render the records again.",
      );
    this.nudge();
    return total;
  }

  /** @returns how many still have files. */
  async #retryChunk(
    rows: readonly Pick<Delivery, "id" | "documentId">[],
  ): Promise<number> {
    const { read, unitOfWork } = this.store;
    const documents = await read.find(Document, {
      where: { id: In(rows.map(({ documentId }) => documentId)) },
      select: { id: true, expiresAt: true },
    });
    const unexpiredIds = new Set(
      documents
        .filter(({ expiresAt }) => expiresAt > clock.date())
        .map(({ id }) => id),
    );
    const ids = rows
      .filter(({ documentId }) => unexpiredIds.has(documentId))
      .map(({ id }) => id);
    if (ids.length === 0) return 0;
    return unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      const where = { id: In(ids), status: In(["failed", "unknown"]) };
      await tx.update(Delivery, where, {
        status: "pending",
        attempts: 0,
        target: null,
        error: null,
        lockToken: null,
        nextAttemptAt: now,
        retriedAt: now,
        completedAt: null,
        updatedAt: now,
      });
      const pending = await tx.find(Delivery, {
        where: { id: In(ids), status: "pending" },
        select: { id: true, organizationId: true, connectionId: true },
      });
      await this.queue.enqueue(tx, pending.map(toDeliveryJob));
      return pending.length;
    });
  }
}

provide(DOCUMENT_DELIVERIES, (c) => c.resolve(Deliveries));
provide(CHECK_DELIVER, (c) => (order) => c.resolve(Deliveries).check(order));

/** Jobs of one connection share its rate limit. */
export function toDeliveryJob({
  id,
  organizationId,
  connectionId,
}: Pick<Delivery, "id" | "organizationId" | "connectionId">): NewJob {
  const partitionKey = createPartitionKey(organizationId, connectionId);
  return { kind: DELIVERY_JOB, rowId: id, partitionKey };
}

/** @throws any other error than PlatenError. */
function toProblem(error: unknown, path: string): Problem {
  if (!(error instanceof PlatenError)) throw error;
  return { path, code: error.code, message: error.message };
}
