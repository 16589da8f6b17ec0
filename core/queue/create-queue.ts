import { OwnCarrier } from "./carrier/own-carrier.js";
import { ServerCarrier } from "./carrier/server-carrier.js";
import { JobQueue } from "./job-queue.js";
import type { QueuePorts } from "./ports.js";
import type { Queue } from "./queue.js";
import { countReady } from "./table/job-stats.js";
import { JobTable } from "./table/job-table.js";

export interface QueueOptions {
  /** Name of this process in the rows that it holds. */
  node: string;
  /** How often this node looks for jobs that it was not told of. Default 1 s. */
  pollMs?: number;
  /** A server that carries the wake-ups, `postgres://`; null: the service's own database. */
  serverUrl?: string | null;
}

/** A queue on the service's own database, whose rows are the truth whatever carries the wake-ups. */
export function createQueue(
  ports: QueuePorts,
  { node, pollMs = 1000, serverUrl = null }: QueueOptions,
): Queue {
  if (serverUrl === null) {
    const carrier = new OwnCarrier(pollMs, ports.log);
    return new JobQueue(ports, carrier, { node, pollMs, fillsUp: true });
  }
  const table = new JobTable(ports.dialect);
  const carrier = new ServerCarrier({
    url: serverUrl,
    pollMs,
    log: ports.log,
    countReady: (kind, limit) => countReady(ports.read, table, kind, limit),
  });
  return new JobQueue(ports, carrier, { node, pollMs, fillsUp: false });
}
