import { LRUCache } from "lru-cache";
import ipaddr from "ipaddr.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import type { PlatformCapabilities } from "../../plugin-api/index.js";
import type { PartitionLimit } from "../../queue/index.js";
import type { RecordBatch } from "../../storage/database/index.js";
import { BASE_URL } from "../../lib/process-values.js";
import type { ConnectedPlatform, LimiterState } from "../host/index.js";
import { getPartitionKey, maxWaitMs } from "./jobs.js";

/** While jobs of a partition end within this time, more of them run than requests may be in flight. */
const soonMs = 1000;
const jobsPerRequest = 4;
/** For how long records are written one by one after writing many at once had no effect. */
const manyInVainMs = 600_000;

/**
 * The rate limits of platforms by which the queue decides which jobs may start. A rate limit depends on credentials, which
 * only a job decrypts, so the limit of a partition is known from its first job on.
 */
@scoped(Lifecycle.ContainerScoped)
export class PlatformRateLimits {
  readonly #limiters = new LRUCache<string, { readonly state: LimiterState }>({
    max: 10_000,
  });
  /** The partitions whose last write ended soon. */
  readonly #prompt = new LRUCache<string, true>({ max: 10_000 });

  /** The partitions whose records are written many at once, and how. */
  readonly #many = new LRUCache<string, WriteMany>({ max: 10_000 });
  /** Those in which that lately had no effect. */
  readonly #manyInVain = new LRUCache<string, true>({
    max: 10_000,
    ttl: manyInVainMs,
  });

  constructor(
    /** Platforms can download files from it if it is public. */
    @inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /** Called by each job. @returns whether the partition's limit was unknown: more of its jobs may start now. */
  async learn(
    target: PartitionTarget,
    platform: ConnectedPlatform,
    tableId: string,
  ): Promise<boolean> {
    const { baseId } = target;
    const key = getPartitionKey(target);
    const { writeMany } = platform.capabilities;
    const needsLinks = writeMany?.needsPublicUrl === true;
    const canWriteMany =
      allowsMode(writeMany, target.mode) &&
      (!needsLinks || canUseLinks(platform, this.baseUrl));
    if (writeMany && canWriteMany) this.#many.set(key, writeMany);
    else this.#many.delete(key);
    const scope = { tableId, ...(baseId !== null && { baseId }) };
    const limiter = await platform.getLimiter(scope);
    const isNew = !this.#limiters.has(key);
    this.#limiters.set(key, limiter);
    return isNew;
  }

  /** Called after each write. @param durationMs Infinity when it failed. */
  noteWrite(target: PartitionTarget, durationMs: number): void {
    const key = getPartitionKey(target);
    if (durationMs < soonMs) this.#prompt.set(key, true);
    else this.#prompt.delete(key);
  }

  /** How the records of a partition are written many at once in a mode; null when they are written one by one. */
  getWriteMany(target: PartitionTarget): WriteMany | null {
    const many = this.#getWriteMany(getPartitionKey(target));
    return many && allowsMode(many, target.mode) ? many : null;
  }

  /** Has records of the partition be written one by one for a while, because writing many at once had no effect. */
  noteManyInVain(target: PartitionTarget): void {
    this.#manyInVain.set(getPartitionKey(target), true);
  }

  #getWriteMany(key: string): WriteMany | null {
    return this.#manyInVain.has(key) ? null : (this.#many.get(key) ?? null);
  }

  /** For jobs that fetch; see `WorkOptions.getLimit`. */
  readonly getLimit = (partition: PartitionName): PartitionLimit =>
    this.#getLimit(partition, 1);

  /**
   * For jobs that write: some are prepared while the requests of others are in flight, unless these hang. Where a job
   * writes many records, it is the only one, so that the next one takes all that became due meanwhile.
   */
  readonly getWriteLimit = (partition: PartitionName): PartitionLimit => {
    const { key, isUrgent } = partition;
    const jobs = this.#prompt.has(key) ? jobsPerRequest : 1;
    const limit = this.#getLimit(partition, jobs);
    if (isUrgent || this.#getWriteMany(key) === null) return limit;
    return { ...limit, key: `${key} many`, maxRunning: 1 };
  };

  #getLimit({ key, isUrgent }: PartitionName, jobs: number): PartitionLimit {
    const limiter = this.#limiters.get(key);
    if (limiter === undefined) return { key, maxRunning: 1, waitMs: 0 };
    const { waitMs, maxInFlight, hasRoom } = limiter.state;
    return {
      // Those of batches that hang do not hold up urgent ones, to which one request in flight is left.
      key: isUrgent ? `${key} urgent` : limiter,
      maxRunning: hasRoom ? jobs * maxInFlight : maxInFlight,
      waitMs: waitMs > maxWaitMs ? waitMs : 0,
    };
  }
}

type WriteMany = NonNullable<PlatformCapabilities["writeMany"]>;

type PartitionTarget = Pick<
  RecordBatch,
  "organizationId" | "connectionId" | "baseId" | "mode"
>;

function allowsMode(
  writeMany: WriteMany | undefined,
  mode: PartitionTarget["mode"],
): boolean {
  return writeMany?.modes?.includes(mode) ?? true;
}

interface PartitionName {
  key: string;
  isUrgent: boolean;
}

/** Whether links to files can be written to a platform's cells, or be fetched by the platform. */
export function canUseLinks(
  { capabilities }: ConnectedPlatform,
  baseUrl: string,
): boolean {
  // Links in cells are for people, who may be in the service's own network.
  return capabilities.attachments === "link-cell" || isPublicAddress(baseUrl);
}

const privateNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|test)$/;

/** Whether an address can be reached from the internet, judged without a request. */
export function isPublicAddress(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !privateNames.test(host);
}
