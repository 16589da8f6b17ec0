import { availableParallelism } from "node:os";
import { ApiClient } from "./api-client.js";
import { CompletionReceiver } from "./completion-receiver.js";
import { DataFolder, type ExportRequest } from "./data-folder.js";
import { type ServiceProcess, startProcess } from "./service-process.js";

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
