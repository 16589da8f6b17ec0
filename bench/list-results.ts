import { ApiClient } from "./api-client.js";
import { DataFolder } from "./data-folder.js";
import { Measurement } from "./measurement.js";
import { multiplyDocuments } from "./million-documents.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group, Scenario } from "./scenario.js";
import { type ServiceProcess, startProcess } from "./service-process.js";

const COUNT = 1_000_000;
const PAGE_SIZE = 20;
const LAST = COUNT / PAGE_SIZE;

/** What is asked for. */
const LISTS_OF: ReadonlyMap<string, number> = new Map([
  ["list-first", 1],
  ["list-middle", LAST / 2],
  ["list-last", LAST],
]);

const TIMES = 40;

/** Pages of the list of documents, of which an organization has a million. */
export const LISTS: Group = {
  names: [...LISTS_OF.keys()],
  results: async () => {
    const folder = await DataFolder.make();
    try {
      await fill(folder);
      return await withService(folder, measured);
    } finally {
      await folder.remove();
    }
  },
};

async function fill(folder: DataFolder): Promise<void> {
  await withService(folder, async (_service, client) => {
    await client.post("/api/export", await folder.invoice());
  });
  multiplyDocuments(folder, COUNT - 1);
}

async function measured(
  service: ServiceProcess,
  client: ApiClient,
): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const [name, page] of LISTS_OF) {
    if (!isWanted(name)) continue;
    const measurement = new Measurement(scenario(name, page, service, client));
    await measurement.round(TIMES);
    const { docsPerSecond: _, ...result } = measurement.result();
    results.push(result);
  }
  return results;
}

function scenario(
  name: string,
  page: number,
  { pid }: ServiceProcess,
  client: ApiClient,
): Scenario {
  const path = `/api/documents?page=${page}&pageSize=${PAGE_SIZE}`;
  const makeOne = async () => void (await client.get(path));
  return { name, concurrency: 1, roots: [pid], makeOne };
}

async function withService<T>(
  folder: DataFolder,
  work: (service: ServiceProcess, client: ApiClient) => Promise<T>,
): Promise<T> {
  const service = await startProcess("all", { PLATEN_DATA: folder.path });
  const client = new ApiClient(service.url, await folder.key());
  try {
    return await work(service, client);
  } finally {
    client.close();
    await service.stop();
  }
}
