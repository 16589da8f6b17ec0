import { join } from "node:path";
import Database from "better-sqlite3";
import { Measurement } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group, Scenario } from "./scenario.js";
import {
  ApiClient,
  DataFolder,
  type ServiceProcess,
  startProcess,
} from "./service.js";

const COUNT = 1_000_000;
const PAGE_SIZE = 20;
const LAST = COUNT / PAGE_SIZE;

const MIDDLE = COUNT / 2;

/** What is asked for. */
const LISTS_OF: ReadonlyMap<string, string> = new Map([
  ["list-first", "page=1"],
  ["list-middle", `page=${LAST / 2}`],
  ["list-last", `page=${LAST}`],
  ["list-after", `after=${idOf(MIDDLE)}`],
  ["list-status", "page=1&status=succeeded"],
  // No document of the only template has failed.
  ["list-template-status", "page=1&status=failed&templateId=TEMPLATE"],
]);

const TIMES = 40;

/** Pages of the list of documents, of which an organization has a million. */
export const LISTS: Group = {
  names: [...LISTS_OF.keys()],
  results: async () => {
    const folder = await DataFolder.make();
    try {
      await fill(folder);
      const { templateId } = await folder.invoice();
      return await withService(folder, (service, client) =>
        measured(service, client, templateId),
      );
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
  templateId: string,
): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const [name, asked] of LISTS_OF) {
    if (!isWanted(name)) continue;
    const query = asked.replace("TEMPLATE", templateId);
    const measurement = new Measurement(scenario(name, query, service, client));
    await measurement.round(TIMES);
    const { docsPerSecond: _, ...result } = measurement.result();
    results.push(result);
  }
  return results;
}

function scenario(
  name: string,
  query: string,
  { pid }: ServiceProcess,
  client: ApiClient,
): Scenario {
  const path = `/api/documents?${query}&pageSize=${PAGE_SIZE}`;
  const runOnce = async () => void (await client.get(path));
  return { name, concurrency: 1, roots: [pid], runOnce };
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

/** Of columns that are not the same in all rows: what SQLite computes them from, with `n` counting from 1. */
const DIFFERENT: Readonly<Record<string, string>> = {
  id: "printf('doc_0199%04x-%04x-7000-8000-%012x', n / 65536, n % 65536, n)",
  created_at: "strftime('%Y-%m-%d %H:%M:%f', 1700000000 + n, 'unixepoch')",
  purge_at: "NULL",
};

/** What SQLite computes as the id of the document `n`. */
function idOf(n: number): string {
  return `doc_0199${toHex(Math.floor(n / 65_536), 4)}-${toHex(n % 65_536, 4)}-7000-8000-${toHex(n, 12)}`;
}

function toHex(value: number, length: number): string {
  return value.toString(16).padStart(length, "0");
}

/** Makes `count` documents like the one that is there, a second apart, by SQL alone: no service may be running. */
function multiplyDocuments(folder: DataFolder, count: number): void {
  const database = new Database(join(folder.path, "platen.sqlite"));
  database.pragma("synchronous = OFF");
  database.pragma("cache_size = -262144");
  const columns = database
    .prepare<[], { name: string }>("PRAGMA table_info(document)")
    .all()
    .map(({ name }) => name);
  const values = columns.map((name) => DIFFERENT[name] ?? `one.${name}`);
  database.exec(
    `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
     INSERT INTO document (${columns.join(", ")})
     SELECT ${values.join(", ")} FROM counted, (SELECT * FROM document LIMIT 1) AS one`,
  );
  database.close();
}
