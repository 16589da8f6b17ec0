import type { EntityManager } from "typeorm";
import type { OutputStore } from "../documents/index.js";
import type { OpenEsign } from "../integrations/host/index.js";
import type { FileStore, Log, Output } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import type {
  AuditEvent,
  Document,
  Store,
  SignatureRequest,
} from "../storage/database/index.js";
import type { EventNudge } from "../webhooks/index.js";

/** A connection that is ready to be used. */
export interface ProviderConnection {
  id: string;
  name: string;
  provider: OpenEsign;
}

/** Saved connections to providers. */
export interface ProviderConnections {
  /**
   * @throws PlatenError `not_found`; `invalid_request` for a platform's; `unavailable` when its plugin is gone or its
   * credentials cannot be read.
   */
  openEsign(organizationId: string, id: string): Promise<ProviderConnection>;
  /** Whosever it is: for what carries a proof of its own. */
  findEsign(
    id: string,
  ): Promise<(ProviderConnection & { organizationId: string }) | null>;
}

/** Where signed files go beside their document. */
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

/** Who asks for something to be done, and through which door. */
export type SignatureActor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

/** Notes an act in the transaction that does it. */
export type NoteAct = (
  tx: EntityManager,
  actor: SignatureActor,
  note: {
    organizationId: string;
    action: "signature.canceled" | "signature.resent";
    subject: string;
  },
) => Promise<void>;

/** What it takes to bring a request on its way, and to its end. */
export interface EsignParts {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge">;
  connections: ProviderConnections;
  files: FileStore;
  outputs: OutputStore;
  events: EventNudge;
  sink: SignedFilesSink;
  times: EsignTimes;
  log: Log;
  now: () => Date;
}

/** Times in milliseconds. */
export interface EsignTimes {
  /** How long a single render waits for its request to be with the provider. */
  startWaitMs: number;
  /** Of one start. */
  startTimeoutMs: number;
  /** Before each further start that was refused for now; the last one again and again. */
  startDelaysMs: readonly number[];
  /**
   * After a start without an answer, the waits before the provider is asked whether it has the request. They are longer
   * in all than a start, so that none can be under way any more when it is sent anew.
   */
  findWaitsMs: readonly number[];
  /** How long a request that cannot be sent is tried. */
  giveUpMs: number;
  /** The shortest and the longest wait between two looks at a pending request. */
  pollMs: readonly [least: number, most: number];
  /** How long signed files are kept, and requests that have ended. */
  retentionMs: number;
}

/** A request's row as a plain value. */
export type RequestRow = Omit<SignatureRequest, never>;
