import { once } from "node:events";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import {
  ApiClient,
  DataFolder,
  type ExportRequest,
  type ServiceProcess,
  startProcess,
} from "./service.js";

/** Where batches are worked on: one process that does everything, or an API and two workers. */
export interface Setting {
  isSplit: boolean;
  /** SQLite in the data folder without one. */
  databaseUrl?: string;
}

const WORKERS = 2;

/** Processes of the service on one database and one data folder, and a receiver to whom they tell of finished batches. */
export class Cluster {
  private constructor(
    private readonly folder: DataFolder,
    private readonly processes: readonly ServiceProcess[],
    readonly client: ApiClient,
    readonly invoice: ExportRequest,
    readonly receiver: CompletionReceiver,
  ) {}

  static async start(setting: Setting): Promise<Cluster> {
    const folder = await DataFolder.make();
    const processes = await startProcesses(folder, setting);
    const receiver = await CompletionReceiver.listen();
    const url = processes[0]?.url ?? "";
    const client = new ApiClient(url, await folder.key());
    const events = ["documents.completed"];
    await client.post("/api/webhooks", { url: receiver.url, events });
    const invoice = await folder.invoice();
    return new Cluster(folder, processes, client, invoice, receiver);
  }

  get roots(): number[] {
    return this.processes.map(({ pid }) => pid);
  }

  async stop(): Promise<void> {
    this.client.close();
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.receiver.close();
    await this.folder.remove();
  }
}

/** The first makes the tables and the demo organization. All workers together have as many pages as there are cores. */
async function startProcesses(
  folder: DataFolder,
  { isSplit, databaseUrl }: Setting,
): Promise<ServiceProcess[]> {
  const env = {
    PLATEN_DATA: folder.path,
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.1/32",
    ...(databaseUrl && { PLATEN_DATABASE_URL: databaseUrl }),
  };
  if (!isSplit) return [await startProcess("all", env)];
  const api = await startProcess("serve", env);
  const pages = Math.ceil(availableParallelism() / WORKERS);
  const workers = Array.from({ length: WORKERS }, () =>
    startProcess("worker", {
      ...env,
      PLATEN_BASE_URL: byName(api.url),
      PLATEN_RENDER_PAGES: String(pages),
    }),
  );
  return [api, ...(await Promise.all(workers))];
}

/** The service calls no webhook at its own host, by which it is not the one of our receiver. */
function byName(url: string): string {
  return url.replace("127.0.0.1", "localhost");
}

const TIMEOUT_MS = 240_000;

/** A webhook receiver on the loopback interface, which is notified of completed batches. */
class CompletionReceiver {
  readonly #server = createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(204).end();
      this.#server.emit("completed");
    });
  });

  static async listen(): Promise<CompletionReceiver> {
    const receiver = new CompletionReceiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the receiver does not listen");
    return `http://127.0.0.1:${address.port}/`;
  }

  /** Resolves when the next webhook has arrived; rejects when none comes for far too long. */
  async next(): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await once(this.#server, "completed", { signal });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
