import type { EntityManager } from "typeorm";
import type { OutputStore } from "../documents/index.js";
import type { ConnectedEsign } from "../integrations/host/index.js";
import type { FileStore, Log, Output } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import type {
  Document,
  Store,
  SignatureRequest,
} from "../storage/database/index.js";
import type { EventWaker } from "../webhooks/index.js";

/** An opened connection to a provider. */
export interface ProviderConnection {
  id: string;
  name: string;
  provider: ConnectedEsign;
}

/** Saved connections to providers. */
export interface ProviderConnections {
  /**
   * @throws PlatenError `not_found`; `invalid_request` for a platform's; `unavailable` when its plugin is gone or its
   * credentials cannot be read.
   */
  openEsign(organizationId: string, id: string): Promise<ProviderConnection>;
  /** In any organization, for requests that prove their origin themselves. */
  findEsign(
    id: string,
  ): Promise<(ProviderConnection & { organizationId: string }) | null>;
}

/** Receives signed files, beside their document. */
export interface SignedFilesSink {
  /** Joins the transaction that makes them outputs of the document. */
  signed(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void>;
  /** Called after transactions that `signed` has joined. */
  nudge(): void;
}

/** What starting, polling and ending a request needs. */
export interface SignaturePorts {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge">;
  connections: ProviderConnections;
  files: FileStore;
  outputs: OutputStore;
  events: EventWaker;
  sink: SignedFilesSink;
  times: SignatureTimes;
  log: Log;
  now: () => Date;
}

/** Times in milliseconds. */
export interface SignatureTimes {
  /** How long a single render waits until the provider has its request. */
  startWaitMs: number;
  /** The limit of one start. */
  startTimeoutMs: number;
  /** The waits before each retry of a start that was rejected for now; the last one repeats. */
  startDelaysMs: readonly number[];
  /**
   * After a start without a response, the waits before each lookup of the request at the provider. Their sum is longer than
   * a start, so that no start is in progress any more when the request is sent again.
   */
  findWaitsMs: readonly number[];
  /** How long to retry a request that cannot be sent. */
  giveUpMs: number;
  /** The shortest and the longest wait between two polls of a pending request. */
  pollMs: readonly [min: number, max: number];
  /** How long signed files and ended requests are kept. */
  retentionMs: number;
}

/** A request's row as a plain value. */
export type RequestRow = Omit<SignatureRequest, never>;
