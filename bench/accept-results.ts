import { createReadStream, openAsBlob } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parse } from "csv-parse";
import { type MariaDb, startMariaDb } from "./mariadb.js";
import { rounded, UsageWatch } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import { ApiClient, DataFolder, startProcess } from "./service.js";

/** What is sent: a batch with its records, a CSV file, or the ids of records of a platform. */
type Way = "accept" | "file" | "records";

interface AcceptScenario {
  way: Way;
  isOnMariaDb: boolean;
  /** Two sizes show whether the memory grows with the documents. */
  count: number;
}

/** How many documents each batch has. */
const SIZES: Readonly<Record<Way, readonly number[]>> = {
  accept: [10_000, 100_000],
  file: [10_000, 100_000],
  records: [1000, 10_000],
};

const SCENARIOS: ReadonlyMap<string, AcceptScenario> = new Map(
  [false, true].flatMap((isOnMariaDb) =>
    (["accept", "file", "records"] as const).flatMap((way) =>
      SIZES[way].map((count): [string, AcceptScenario] => [
        `${way}-${count}${isOnMariaDb ? "-mariadb" : ""}`,
        { way, isOnMariaDb, count },
      ]),
    ),
  ),
);

/** Batches from the first byte of the request to the last of the answer that they are accepted; nothing is rendered. */
export const ACCEPTED: Group = {
  names: [...SCENARIOS.keys()],
  results: async () => {
    const wanted = [...SCENARIOS].filter(([name]) => isWanted(name));
    const server = wanted.some(([, { isOnMariaDb }]) => isOnMariaDb)
      ? await startMariaDb()
      : null;
    try {
      const results: BenchResult[] = [];
      for (const [name, scenario] of wanted)
        results.push(...(await measure(name, scenario, server)));
      return results;
    } finally {
      await server?.end();
    }
  },
};

const FIELDS = [
  ["number", "String"],
  ["date", "Date"],
  ["customer", "String"],
  ["street", "String"],
  ["city", "String"],
  ["quantity", "Number"],
  ["price", "Number"],
  ["note", "String"],
] as const;

const DEFINITION = {
  schema: [
    {
      id: "root",
      fields: FIELDS.map(([name, type]) => ({ name, type })),
    },
  ],
  components: [{ type: "text", text: "Invoice {{ root.number }}" }],
};

/** Nothing where there is no server for it. */
async function measure(
  name: string,
  { way, isOnMariaDb, count }: AcceptScenario,
  server: MariaDb | null,
): Promise<BenchResult[]> {
  if (isOnMariaDb && !server) {
    process.stderr.write(`${name} is left out: there is no mariadbd.\n`);
    return [];
  }
  const folder = await DataFolder.make();
  const service = await startProcess("serve", {
    PLATEN_DATA: folder.path,
    ...(isOnMariaDb &&
      server && { PLATEN_DATABASE_URL: await server.newDatabase() }),
  });
  const key = await folder.key();
  const client = new ApiClient(service.url, key);
  try {
    const saved = await client.post("/api/templates", {
      name: "Rows",
      definition: DEFINITION,
    });
    const { id: templateId }: { id: string } = JSON.parse(saved.toString());
    const order = { templateId, formats: ["html"] };
    const request = await REQUESTS[way]({ order, count, folder, client });
    const watch = await UsageWatch.start([service.pid]);
    const started = performance.now();
    const reply = await fetch(service.url + request.path, {
      method: "POST",
      headers: { "x-api-key": key, ...request.headers },
      body: request.body,
      duplex: "half",
    });
    const answer = await reply.text();
    const seconds = (performance.now() - started) / 1000;
    const { cpuMs, peakPssMb } = await watch.end();
    const { totalCount }: { totalCount?: number } = JSON.parse(answer);
    if (totalCount !== count) throw new Error(answer.slice(0, 1000));
    const { limit } = request;
    return [
      ...(limit
        ? [
            {
              name: `${name}-${limit.name}`,
              seconds: rounded(limit.ms / 1000, 2),
            },
          ]
        : []),
      {
        name,
        docsPerSecond: rounded(count / seconds),
        cpuMsPerDoc: rounded(cpuMs / count, 3),
        peakPssMb: rounded(peakPssMb),
        seconds: rounded(seconds, 2),
        ...(limit && { ofLimit: rounded((seconds * 1000) / limit.ms, 1) }),
      },
    ];
  } finally {
    client.close();
    await service.stop();
    await folder.remove();
  }
}

interface AcceptOrder {
  order: { templateId: string; formats: string[] };
  count: number;
  folder: DataFolder;
  client: ApiClient;
}

interface AcceptRequest {
  path: string;
  headers?: Record<string, string>;
  body: string | FormData | ReadableStream<Uint8Array>;
  /** What takes the least time that is possible, where that is known. */
  limit?: { name: string; ms: number };
}

const JSON_TYPE = { "content-type": "application/json" };

const REQUESTS: Readonly<
  Record<Way, (order: AcceptOrder) => AcceptRequest | Promise<AcceptRequest>>
> = {
  accept: ({ order, count }) => ({
    path: "/api/export/batch",
    headers: JSON_TYPE,
    body: ReadableStream.from(writeItems(order, count)),
  }),
  file: async ({ order, count, folder }) => {
    const path = join(folder.path, "rows.csv");
    await writeRows(path, count);
    const body = new FormData();
    body.append("request", JSON.stringify(order));
    body.append("file", await openAsBlob(path), "rows.csv");
    const limit = { name: "csv-parse", ms: await readAlone(path, count) };
    return { path: "/api/export/batch/file", body, limit };
  },
  records: async ({ order, count, folder, client }) => {
    const databases = join(folder.path, "databases");
    await mkdir(databases, { recursive: true });
    const database = new Database(join(databases, "rows.sqlite"));
    // Only the ids count here: records are read later.
    database.exec(
      `CREATE TABLE Numbers (id integer PRIMARY KEY, ${FIELDS.map(([name]) => `${name} text`).join(", ")});
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       INSERT INTO Numbers (id) SELECT i FROM n`,
    );
    database.close();
    await client.post("/api/connections", {
      platform: "sql",
      name: "Rows",
      credentials: { engine: "sqlite", file: "rows.sqlite" },
    });
    const recordIds = Array.from({ length: count }, (_, at) => `${at + 1}`);
    return {
      path: "/api/export/batch/sql",
      headers: JSON_TYPE,
      body: JSON.stringify({ ...order, tableId: "Numbers", recordIds }),
    };
  },
};

const PIECE = 1000;

/** The same records as in the file. */
function* writeItems(order: object, count: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${JSON.stringify(order).slice(0, -1)},"items":[`);
  for (let at = 0; at < count; at += PIECE) {
    const items = listNumbers(at, count).map((number) => ({
      data: createRecord(number),
      metadata: { row: String(number) },
    }));
    const text = items.map((item) => JSON.stringify(item)).join(",");
    yield encoder.encode(at === 0 ? text : `,${text}`);
  }
  yield encoder.encode("]}");
}

function listNumbers(from: number, end: number): number[] {
  const length = Math.min(PIECE, end - from);
  return Array.from({ length }, (_, index) => from + index + 1);
}

function createRecord(number: number) {
  return {
    number: `R-${number}`,
    date: `2026-11-${String((number % 28) + 1).padStart(2, "0")}`,
    customer: `Customer ${number}, Ltd.`,
    street: `${number % 200} Long Street`,
    city: "Springfield",
    quantity: number % 9,
    price: (number % 1000) / 4,
    note: `Thank you for order ${number}.`,
  };
}

async function writeRows(path: string, count: number): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.write(`${FIELDS.map(([name]) => name).join(",")}\n`);
    for (let at = 0; at < count; at += PIECE)
      await file.write(
        listNumbers(at, count)
          .map((number) => Object.values(createRecord(number)).map(toCell))
          .map((cells) => `${cells.join(",")}\n`)
          .join(""),
      );
  } finally {
    await file.close();
  }
}

/** Only texts with a comma, or a sentence, are quoted. */
function toCell(value: string | number): string {
  return /[,.]$|, /.test(String(value)) ? `"${value}"` : String(value);
}

/** The limit: the same library over the same file, without anything else. */
async function readAlone(path: string, rows: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  for await (const row of createReadStream(path).pipe(parse()))
    count += Array.isArray(row) ? 1 : 0;
  if (count !== rows + 1) throw new Error(`read ${count} lines`);
  return performance.now() - started;
}
