import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ChaosDatabase } from "./databases.js";
import { SupervisedProcess } from "./supervised-process.js";
import type { Fault, FaultKind } from "./fault-plan.js";

export interface ClusterSettings {
  folder: string;
  database: ChaosDatabase;
  /** What Node runs. */
  command: readonly string[];
  workers: number;
  leaseMs: number;
  poison: string;
}

/** The longest stall in leases, and the longest outage. */
const stallLeases = 2.5;
const outageMs = 2500;

/** One API and some workers on the same database and files. */
export class Cluster {
  readonly injected: Record<FaultKind, number> = {
    kill: 0,
    stall: 0,
    terminate: 0,
    outage: 0,
  };
  readonly #lasting: Promise<void>[] = [];

  private constructor(
    private readonly settings: ClusterSettings,
    readonly url: string,
    readonly parts: readonly SupervisedProcess[],
  ) {}

  static async start(settings: ClusterSettings): Promise<Cluster> {
    const { folder, workers } = settings;
    const port = await freePort();
    const env = environment(settings, port);
    const part = (role: "serve" | "worker", name: string) =>
      new SupervisedProcess({
        role,
        command: settings.command,
        env: {
          ...env,
          ...(role === "worker" && { CHAOS_POISON: settings.poison }),
        },
        logFile: join(folder, `${name}.log`),
      });
    const numbers = Array.from({ length: workers }, (_, index) => index + 1);
    const parts = [
      part("serve", "serve"),
      ...numbers.map((number) => part("worker", `worker-${number}`)),
    ];
    const cluster = new Cluster(settings, `http://127.0.0.1:${port}`, parts);
    // The first makes the tables and the demo organization.
    parts[0]?.start();
    await cluster.ready();
    for (const one of parts.slice(1)) one.start();
    return cluster;
  }

  /** Resolves when the API can render. */
  async ready(): Promise<void> {
    for (;;) {
      const response = await fetch(`${this.url}/health/ready`).catch(
        () => null,
      );
      if (response?.ok) return;
      await pause(100);
    }
  }

  /** What lasts, such as a stall, goes on beside the faults that follow. */
  async inject(fault: Fault): Promise<void> {
    await pause(fault.afterMs);
    if (fault.kind === "outage") return this.#outage(fault);
    const part = await this.#target(fault);
    this.injected[fault.kind] += 1;
    const lasting = this.#hit(part, fault);
    if (fault.kind === "kill") await lasting;
    else this.#lasting.push(lasting);
  }

  /** Resolves when all runs that was injected. */
  async recover(): Promise<void> {
    await Promise.all(this.#lasting);
    await this.ready();
  }

  async end(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.end()));
  }

  async #outage({ length }: Fault): Promise<void> {
    this.injected.outage += 1;
    await this.settings.database.outage(length * outageMs);
  }

  #hit(
    part: SupervisedProcess,
    { kind, length, clockSkewMs }: Fault,
  ): Promise<void> {
    // Links are as old as the API's clock says: only workers have a wrong one.
    const skewMs = part.role === "worker" ? clockSkewMs : 0;
    if (kind === "stall")
      return part.stall(this.settings.leaseMs * stallLeases * length);
    return kind === "kill" ? part.kill(skewMs) : part.terminate(skewMs);
  }

  async #target({ target, isEarly }: Fault): Promise<SupervisedProcess> {
    for (;;) {
      const up = this.parts.filter((one) => (isEarly ? one.isUp : one.isReady));
      const part = up[target % up.length];
      if (part) return part;
      await pause(20);
    }
  }
}

export function environment(
  {
    folder,
    database,
    leaseMs,
  }: Pick<ClusterSettings, "folder" | "database" | "leaseMs">,
  port: number,
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    PLATEN_DATA: folder,
    PLATEN_DATABASE_URL: database.url,
    PLATEN_PORT: String(port),
    PLATEN_BASE_URL: `http://127.0.0.1:${port}`,
    PLATEN_LOG_FORMAT: "json",
    PLATEN_RENDER_PAGES: "2",
    // The numbers of documents whose process died are free a minute after it.
    PLATEN_RENDER_TIMEOUT: "15",
    PLATEN_WORKER_LEASE: `${leaseMs}ms`,
    PLATEN_QUEUE_POLL: "500ms",
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.2/32",
    PLATEN_WEBHOOK_TIMEOUT: "2s",
    PLATEN_WEBHOOK_SCHEDULE: Array.from({ length: 60 }, () => "1s").join(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
