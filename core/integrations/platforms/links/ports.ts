import type { EntityManager } from "typeorm";
import type { Alongside, Batches } from "../../../batches/index.js";
import type { SecretBox } from "../../../lib/secrets.js";
import type {
  AuditEvent,
  Batch,
  Store,
} from "../../../storage/database/index.js";
import type { Connections } from "../connections.js";
import type { Destination } from "../destination.js";
import type { DestinationRequest, RecordsRequest } from "../records-request.js";

/** Who does an administrative act, and through which door. */
export type LinkActor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

export interface LinkNote {
  organizationId: string;
  action: "link.created" | "link.revoked";
  subject: string;
  details?: Record<string, unknown>;
}

/** What links ask of batches of a platform's records. */
export interface RecordsDesk {
  generate(request: RecordsRequest, alongside?: Alongside): Promise<Batch>;
  writeBackAgain(organizationId: string, batchId: string): Promise<number>;
}

export interface LinkPorts {
  store: Store;
  secrets: SecretBox;
  /** Looks at the platform: where records are, and where files go. */
  settle(request: DestinationRequest): Promise<Destination>;
  /** Where callers reach the service, without a slash at the end. */
  baseUrl: string;
  noteAct(tx: EntityManager, actor: LinkActor, note: LinkNote): Promise<void>;
}

export interface RunPorts {
  store: Store;
  /** Of another purpose than those of tokens. */
  secrets: SecretBox;
  records: RecordsDesk;
  connections: Pick<Connections, "open">;
  batches: Pick<Batches, "get">;
}
