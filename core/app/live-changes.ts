import { LRUCache } from "lru-cache";
import { In, Not, type EntityManager } from "typeorm";
import { clock } from "../lib/clock.js";
import type { Changes } from "../api/index.js";
import {
  Batch,
  Delivery,
  Document,
  type Store,
  WebhookDelivery,
  WebhookEndpoint,
  WriteBack,
} from "../storage/database/index.js";

const lookEveryMs = 1000;
/** Those that the first pages of the lists show. */
const newest = 50;
const maxTokens = 1000;

type Draft = (organizationId: string, templateId: string) => Promise<unknown>;

/**
 * Reports changes of what pages show. The rows are the truth, so that every process reports what any other one wrote: each
 * watched topic of an organization is read once a second, for all who watch it together, by indexes only.
 */
export class LiveChanges implements Changes {
  readonly #tokens = new LRUCache<string, Promise<string>>({
    max: maxTokens,
    ttl: lookEveryMs * 0.9,
  });

  constructor(
    private readonly store: Pick<Store, "read">,
    private readonly readDraft: Draft,
  ) {}

  async *watch(
    { organizationId }: { organizationId: string },
    topics: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly string[]> {
    const seen = new Map<string, string>();
    const look = async () => {
      const changed: string[] = [];
      for (const topic of topics) {
        const token = await this.#read(organizationId, topic);
        if (seen.get(topic) !== token) changed.push(topic);
        seen.set(topic, token);
      }
      return changed;
    };
    await look();
    yield [];
    while (!signal.aborted) {
      await clock.sleep(lookEveryMs, signal).catch(() => undefined);
      const changed = signal.aborted ? [] : await look();
      if (changed.length > 0) yield changed;
    }
  }

  #read(organizationId: string, topic: string): Promise<string> {
    const key = `${organizationId} ${topic}`;
    const cached = this.#tokens.get(key);
    if (cached) return cached;
    const token = this.#readToken(organizationId, topic).then((rows) =>
      JSON.stringify(rows),
    );
    this.#tokens.set(key, token);
    token.catch(() => this.#tokens.delete(key));
    return token;
  }

  /** What differs after any change that the topic's pages show. */
  async #readToken(organizationId: string, topic: string): Promise<unknown> {
    const { read } = this.store;
    const [kind, id = ""] = topic.split(":");
    switch (kind) {
      case "documents":
        return readDocuments(read, organizationId);
      case "batches":
        return readBatches(read, organizationId);
      case "batch":
        return readBatch(read, organizationId, id);
      case "webhook":
        return readWebhook(read, organizationId, id);
      default:
        // One that does not exist does not change.
        return this.readDraft(organizationId, id).catch(() => null);
    }
  }
}

const newestFirst = { createdAt: "DESC", id: "DESC" } as const;

async function readDocuments(
  read: EntityManager,
  organizationId: string,
): Promise<unknown> {
  const rows = await read.find(Document, {
    where: { organizationId },
    order: newestFirst,
    take: newest,
    select: { id: true, status: true, updatedAt: true },
  });
  const counts = [];
  for (const status of ["queued", "rendering"] as const)
    counts.push(await read.countBy(Document, { organizationId, status }));
  return [rows, counts];
}

async function readBatches(
  read: EntityManager,
  organizationId: string,
): Promise<unknown> {
  const select = { id: true, status: true, remaining: true, updatedAt: true };
  const rows = await read.find(Batch, {
    where: { organizationId, status: Not("accepting") },
    order: newestFirst,
    take: newest,
    select,
  });
  const running = await read.find(Batch, {
    where: { organizationId, status: In(["queued", "running"]) },
    order: newestFirst,
    take: newest,
    select,
  });
  return [rows, running];
}

async function readBatch(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<unknown> {
  const batch = await read.findOne(Batch, {
    where: { id, organizationId },
    select: { id: true, status: true, remaining: true, updatedAt: true },
  });
  if (!batch) return null;
  return [
    batch,
    await countByStatus(read, Document, id),
    await countByStatus(read, WriteBack, id),
    await countByStatus(read, Delivery, id),
    // Why they wait.
    await read.maximum(WriteBack, "attempts", {
      batchId: id,
      status: "pending",
    }),
  ];
}

async function countByStatus(
  read: EntityManager,
  entity: typeof Document | typeof WriteBack | typeof Delivery,
  batchId: string,
): Promise<unknown> {
  return read
    .getRepository<Document | WriteBack | Delivery>(entity)
    .createQueryBuilder("row")
    .select("row.status", "status")
    .addSelect("COUNT(*)", "count")
    .where({ batchId })
    .groupBy("row.status")
    .orderBy("row.status")
    .getRawMany();
}

async function readWebhook(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<unknown> {
  const endpoint = await read.findOneBy(WebhookEndpoint, {
    id,
    organizationId,
  });
  if (!endpoint) return null;
  const deliveries = await read.find(WebhookDelivery, {
    where: { endpointId: id },
    order: newestFirst,
    take: newest,
    select: { id: true, status: true, updatedAt: true },
  });
  const pending = await read.countBy(WebhookDelivery, {
    endpointId: id,
    status: "pending",
  });
  return [endpoint.updatedAt, deliveries, pending];
}
