import type { Carrier } from "./carrier/carrier.js";
import { OwnCarrier } from "./carrier/own-carrier.js";
import { ServerCarrier } from "./carrier/server-carrier.js";
import { JobQueue } from "./job-queue.js";
import type { QueuePorts } from "./ports.js";
import type { Queue } from "./queue.js";

export interface QueueOptions {
  /** Name of this process in the rows that it holds. */
  node: string;
  /** How often this node looks for jobs that it was not told of. Default 1 s. */
  pollMs?: number;
  /** A server that carries the wake-ups, `postgres://` or `mongodb://`; null: the service's own database. */
  serverUrl?: string | null;
}

/** A queue on the service's own database, whose rows are the truth whatever carries the wake-ups. */
export function createQueue(
  ports: QueuePorts,
  { node, pollMs = 1000, serverUrl = null }: QueueOptions,
): Queue {
  const carrier: Carrier = serverUrl
    ? new ServerCarrier(serverUrl, pollMs, ports.log)
    : new OwnCarrier(pollMs, ports.log);
  const atOnce = serverUrl ? 1 : Infinity;
  return new JobQueue(ports, carrier, { node, pollMs, atOnce });
}
