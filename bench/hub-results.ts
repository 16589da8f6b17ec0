import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { z } from "zod";
import { FaultProxies } from "../plugins/contract-suite/fault-proxy.js";
import { FakeAirtable } from "../test/support/fakes/fake-airtable.js";
import { FakeGoogle } from "../test/support/fakes/fake-google.js";
import { freePort } from "../test/support/free-port.js";
import { NocodbServer } from "../test/plugins/nocodb/nocodb-server.js";
import { percentiles, rounded, UsageWatch } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import {
  ApiClient,
  DataFolder,
  type ServiceProcess,
  startProcess,
} from "./service.js";

/** Orders of a platform, each with its lines and an empty field Document. */
interface Shop {
  platform: string;
  credentials: object;
  baseId?: string;
  tableId: string;
  orderIds: readonly string[];
  /** Those that `work` causes; left out where there are none. */
  countRequests?: (work: () => Promise<void>) => Promise<number>;
  hasFile(orderId: string): boolean | Promise<boolean>;
  close(): Promise<void>;
}

interface ShopSize {
  orders: number;
  linesOfEach: number;
}

/** Null where there is no server for it. */
type OpenShop = (size: ShopSize, hub: HubService) => Promise<Shop | null>;

interface WriteScenario {
  name: string;
  open: OpenShop;
  orders: number;
  isReplacing?: boolean;
  /** The fewest requests with which the platform's API allows it. */
  leastRequests?: number;
}

const LINES_OF_EACH = 4;

/** One PDF for each order with its lines, in the order's field. */
const WRITES: readonly WriteScenario[] = [
  // The tables, 50 orders, 200 lines by hundreds; then an upload for each file, or changes of ten.
  { name: "hub-airtable", open: openAirtable, orders: 50, leastRequests: 54 },
  {
    name: "hub-airtable-replace",
    open: openAirtable,
    orders: 50,
    isReplacing: true,
    leastRequests: 9,
  },
  // Both tables and their rows; an upload for each file, and one change.
  { name: "hub-nocodb", open: openNocodb, orders: 50, leastRequests: 55 },
  // A token, the columns and the values of both sheets; an upload for each file, and one change.
  { name: "hub-sheets", open: openSheets, orders: 50, leastRequests: 54 },
  { name: "hub-sqlite", open: openSqlite, orders: 50 },
  { name: "hub-sqlite-1000", open: openSqlite, orders: 1000 },
];

/** A button that a person presses, alone and while a batch of the same organization and table is at work. */
const PRESSES: Readonly<Record<string, OpenShop>> = {
  "press-sqlite": openSqlite,
  "press-airtable": openAirtable,
};
const PRESS_COUNT = 10;

/** People who open the page of a button at the same moment, press it, and watch their page until the file is there. */
const CROWD = "run-pages-200";
const CROWD_SIZE = 200;
const BATCH_COUNT = 10_000;
/** When so many files of the batch are written, buttons are pressed. */
const BEGUN_COUNT = 20;

const LOOK_MS = 10;

export const HUB: Group = {
  names: [...WRITES.map(({ name }) => name), ...Object.keys(PRESSES), CROWD],
  results: async () => {
    const results: BenchResult[] = [];
    for (const scenario of WRITES)
      if (isWanted(scenario.name))
        results.push(...(await measureWrites(scenario)));
    for (const [name, open] of Object.entries(PRESSES))
      if (isWanted(name)) results.push(...(await measurePresses(name, open)));
    if (isWanted(CROWD)) results.push(...(await measureCrowd()));
    return results;
  },
};

async function measureWrites({
  name,
  open,
  orders,
  isReplacing = false,
  leastRequests,
}: WriteScenario): Promise<BenchResult[]> {
  return withShop(
    { orders, linesOfEach: LINES_OF_EACH },
    open,
    name,
    async (hub, shop) => {
      let elapsedMs = 0;
      const work = async () => {
        const started = performance.now();
        await hub.waitUntilWritten(
          await hub.send(shop, shop.orderIds, isReplacing),
        );
        elapsedMs = performance.now() - started;
      };
      await hub.prepare(shop);
      const requests = await (shop.countRequests ?? callUncounted)(work);
      for (const id of shop.orderIds)
        if (!(await shop.hasFile(id)))
          throw new Error(`${name}: no file in ${id}`);
      return [
        {
          name,
          seconds: rounded(elapsedMs / 1000, 1),
          ...(requests !== undefined && { requests }),
          ...(leastRequests !== undefined && { leastRequests }),
        },
      ];
    },
  );
}

async function callUncounted(work: () => Promise<void>): Promise<undefined> {
  await work();
}

async function measurePresses(
  name: string,
  open: OpenShop,
): Promise<BenchResult[]> {
  const orders = BATCH_COUNT + 2 * PRESS_COUNT;
  return withShop({ orders, linesOfEach: 0 }, open, name, async (hub, shop) => {
    const { orderIds } = shop;
    await hub.prepare(shop);
    const url = await hub.createButton(shop);
    const press = async (ids: readonly string[]) => {
      const times: number[] = [];
      for (const id of ids) times.push(await hub.press(url, shop, id));
      return percentiles(times);
    };
    const alone = await press(orderIds.slice(0, PRESS_COUNT));
    const batchId = await hub.send(shop, orderIds.slice(2 * PRESS_COUNT));
    await hub.waitUntilWritten(batchId, BEGUN_COUNT);
    const busy = await press(orderIds.slice(PRESS_COUNT, 2 * PRESS_COUNT));
    return [
      { name: `${name}-alone`, ...alone },
      { name: `${name}-busy`, ...busy },
    ];
  });
}

async function measureCrowd(): Promise<BenchResult[]> {
  const size = { orders: CROWD_SIZE, linesOfEach: 0 };
  return withShop(size, openSqlite, CROWD, async (hub, shop) => {
    await hub.prepare(shop);
    const button = await hub.createButton(shop);
    const prober = new Worker(new URL("./health-prober.mjs", import.meta.url), {
      workerData: `${hub.url}/health/live`,
    });
    const watch = await UsageWatch.start([hub.pid]);
    const started = performance.now();
    const visits = await Promise.all(
      shop.orderIds.map((id) => hub.visit(`${button}?recordId=${id}`)),
    );
    const seconds = (performance.now() - started) / 1000;
    const { cpuMs, peakPssMb } = await watch.end();
    prober.postMessage("end", []);
    const [healthWorstMs = 0]: number[] = await once(prober, "message");
    return [
      {
        name: `${CROWD}-page`,
        ...percentiles(visits.map(({ pageMs }) => pageMs)),
      },
      {
        name: CROWD,
        docsPerSecond: rounded(CROWD_SIZE / seconds, 1),
        ...percentiles(visits.map(({ fileMs }) => fileMs)),
        cpuMsPerDoc: rounded(cpuMs / CROWD_SIZE, 2),
        peakPssMb: rounded(peakPssMb),
        healthWorstMs: rounded(healthWorstMs),
      },
    ];
  });
}

async function withShop(
  size: ShopSize,
  open: OpenShop,
  name: string,
  measure: (hub: HubService, shop: Shop) => Promise<BenchResult[]>,
): Promise<BenchResult[]> {
  const hub = await HubService.start();
  try {
    const shop = await open(size, hub);
    if (shop === null) {
      process.stderr.write(`${name} is left out: there is no server for it.\n`);
      return [];
    }
    try {
      return await measure(hub, shop);
    } finally {
      await shop.close();
    }
  } finally {
    await hub.stop();
  }
}

const DEFINITION = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "name", source: "Name", type: "String" },
        {
          name: "lines",
          source: "Lines",
          type: "OneToManyLink",
          target: "line",
        },
      ],
    },
    {
      id: "line",
      fields: [{ name: "price", source: "Price", type: "Number" }],
    },
  ],
  components: [
    { type: "text", text: "{{ root.name }}: {{ SUM(root.lines, price) }}" },
  ],
  fileName: "{{ root.name }}",
};

/** A public address, because Platen then gives platforms URLs from which they fetch the files. */
const BASE_URL = "https://platen.example.com";

interface BatchState {
  status: string;
  counts: { succeeded: number };
  writeBack: { pending: number; succeeded: number; failed: number } | null;
}

/** A service in a process of its own, whose browser has started. */
class HubService {
  #request: object = {};

  private constructor(
    readonly folder: DataFolder,
    readonly url: string,
    private readonly process: ServiceProcess,
    private readonly client: ApiClient,
  ) {}

  static async start(): Promise<HubService> {
    const folder = await DataFolder.make();
    const port = await freePort();
    const process = await startProcess("all", {
      PLATEN_DATA: folder.path,
      PLATEN_PORT: `${port}`,
      PLATEN_BASE_URL: BASE_URL,
      PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.1/32",
    });
    const url = `http://127.0.0.1:${port}`;
    const client = new ApiClient(url, await folder.key());
    const invoice = { ...(await folder.invoice()), formats: ["pdf"] };
    for (let count = 0; count < 4; count += 1)
      await client.post("/api/export", invoice);
    return new HubService(folder, url, process, client);
  }

  /** @returns the id of the batch. */
  async send(
    shop: Shop,
    recordIds: readonly string[],
    overwriteExisting = false,
  ): Promise<string> {
    const { batchId } = await this.#post<{ batchId: string }>(
      `/api/export/batch/${shop.platform}`,
      { ...this.#request, recordIds, overwriteExisting },
    );
    return batchId;
  }

  /** @param count of files; without it, all of the batch. */
  async waitUntilWritten(batchId: string, count?: number): Promise<void> {
    for (;;) {
      const { status, counts, writeBack } = await this.#read(batchId);
      const { succeeded = 0, failed = 0 } = writeBack ?? {};
      if (failed > 0) throw new Error(`${failed} files could not be written`);
      if (count !== undefined && succeeded >= count) return;
      if (status === "completed" && succeeded === counts.succeeded) return;
      await pause(LOOK_MS);
    }
  }

  /** @returns the address of the button's page. */
  async createButton(shop: Shop): Promise<string> {
    const { url } = await this.#post<{ url: string }>("/api/links", {
      ...this.#request,
      platform: shop.platform,
    });
    return url.replace(BASE_URL, this.url);
  }

  /** @returns the time from the press of the button to the file in the field, in ms. */
  async press(url: string, shop: Shop, orderId: string): Promise<number> {
    const page = await (await fetch(`${url}?recordId=${orderId}`)).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const started = performance.now();
    const body = new URLSearchParams({ form });
    await fetch(url, { method: "POST", body, redirect: "manual" });
    while (!(await shop.hasFile(orderId))) await pause(LOOK_MS);
    return performance.now() - started;
  }

  /**
   * Does what a browser does for one person. @returns the times from the start to the page that asks, and to the file.
   * @throws Error for any answer but those that a person expects.
   */
  async visit(url: string): Promise<{ pageMs: number; fileMs: number }> {
    const started = performance.now();
    const since = () => performance.now() - started;
    const page = await (await expectStatus(await fetch(url), 200)).text();
    const pageMs = since();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const pressed = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ form }),
      redirect: "manual",
    });
    await expectStatus(pressed, 303);
    const run = new URL(pressed.headers.get("location") ?? "", url).href;
    await (await expectStatus(await fetch(run), 200)).text();
    const events = await expectStatus(await fetch(`${run}/events`), 200);
    const file = readFileUrl(await events.text());
    const address = file.replace(BASE_URL, this.url);
    const { size } = await (
      await expectStatus(await fetch(address), 200)
    ).blob();
    if (size < 1000) throw new Error(`a file of ${size} bytes`);
    return { pageMs, fileMs: since() };
  }

  get pid(): number {
    return this.process.pid;
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.process.stop();
    await this.folder.remove();
  }

  /** Creates a template and a connection. Precedes batches and buttons, which name them. */
  async prepare({ platform, credentials, baseId, tableId }: Shop) {
    const template = await this.#post<{ id: string }>("/api/templates", {
      name: "Order",
      definition: DEFINITION,
    });
    const connection = await this.#post<{ id: string }>("/api/connections", {
      platform,
      name: "Shop",
      credentials,
    });
    this.#request = {
      templateId: template.id,
      connectionId: connection.id,
      ...(baseId !== undefined && { baseId }),
      tableId,
      attachmentField: "Document",
      formats: ["pdf"],
    };
  }

  async #read(batchId: string): Promise<BatchState> {
    const answer = await this.client.get(`/api/batches/${batchId}?pageSize=1`);
    return JSON.parse(answer.toString());
  }

  async #post<T>(path: string, body: object): Promise<T> {
    return JSON.parse((await this.client.post(path, body)).toString());
  }
}

async function expectStatus(
  response: Response,
  status: number,
): Promise<Response> {
  if (response.status === status) return response;
  const text = (await response.text()).slice(0, 500);
  throw new Error(`${response.url} answered ${response.status}: ${text}`);
}

/** The link in the last of these server-sent events, after which the stream has ended. */
function readFileUrl(events: string): string {
  const last = events.split("\n").findLast((line) => line.startsWith("data: "));
  const state: { isOver: boolean; parts: Record<string, string> } = JSON.parse(
    last?.slice("data: ".length) ?? "{}",
  );
  const url = /href="([^"]+)"/.exec(state.parts["row-0"] ?? "")?.[1];
  if (!state.isOver || !url) throw new Error(`no file: ${last}`);
  return url.replaceAll("&amp;", "&");
}

async function countLines(
  log: readonly string[],
  work: () => Promise<void>,
): Promise<number> {
  const from = log.length;
  await work();
  return log.length - from;
}

const listNumbers = (count: number) =>
  Array.from({ length: count }, (_, at) => at + 1);

async function openAirtable(
  { orders, linesOfEach }: ShopSize,
  { url }: HubService,
): Promise<Shop> {
  const fake = await FakeAirtable.start();
  fake.files.toReachable = (address) => address.replace(BASE_URL, url);
  const base = fake.addBase("Shop");
  const lines = fake.addTable(base, "Lines", { Price: "number" });
  const table = fake.addTable(base, "Orders", {
    Name: "singleLineText",
    Lines: {
      type: "multipleRecordLinks",
      options: { linkedTableId: lines.id },
    },
    Document: "multipleAttachments",
  });
  const orderIds = listNumbers(orders).map((order) =>
    table.add({
      Name: `Order ${order}`,
      Lines: listNumbers(linesOfEach).map((Price) => lines.add({ Price })),
    }),
  );
  const { id: fieldId } = table.field("Document");
  return {
    platform: "airtable",
    credentials: {
      token: fake.addToken("pat.bench"),
      endpointUrl: fake.url,
      contentUrl: fake.url,
    },
    baseId: base.id,
    tableId: "Orders",
    orderIds,
    countRequests: (work) => countLines(fake.log, work),
    hasFile: (id) => {
      const cell = table.record(id).cells.get(fieldId);
      return Array.isArray(cell) && cell.length > 0;
    },
    close: () => fake.close(),
  };
}

async function openSheets({ orders, linesOfEach }: ShopSize): Promise<Shop> {
  const user = "anna@example.com";
  const fake = await FakeGoogle.start();
  const numbers = listNumbers(orders);
  const lines = numbers.flatMap((order) =>
    listNumbers(linesOfEach).map((price) => [
      `${order}-${price}`,
      order,
      price,
    ]),
  );
  const { id, sheets } = fake.addSpreadsheet("Shop", [user], {
    Orders: [
      ["ID", "Name", "Document"],
      ...numbers.map((order) => [order, `Order ${order}`]),
    ],
    Lines: [["ID", "Order", "Price"], ...lines],
  });
  const link = { sheet: "Lines", column: "Order", to: "Orders" };
  return {
    platform: "google-sheets",
    credentials: {
      clientId: "client",
      clientSecret: "very-secret",
      refreshToken: fake.accounts.addUser(user),
      endpointUrl: fake.url,
      links: [{ ...link, inverse: "Lines" }],
    },
    baseId: id,
    tableId: "Orders",
    orderIds: numbers.map(String),
    countRequests: (work) => countLines(fake.log, work),
    hasFile: (order) => {
      const row = Number(order) + 1;
      return sheets[0]?.values(row, row)[0]?.[2] !== undefined;
    },
    close: () => fake.close(),
  };
}

async function openSqlite(
  { orders, linesOfEach }: ShopSize,
  { folder }: HubService,
): Promise<Shop> {
  const databases = join(folder.path, "databases");
  await mkdir(databases, { recursive: true });
  const database = new Database(join(databases, "shop.sqlite"));
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE Orders (id integer PRIMARY KEY, Name text, Document blob);
    CREATE TABLE Lines (id integer PRIMARY KEY, order_id integer REFERENCES Orders (id), Price integer);
    CREATE INDEX lines_order ON Lines (order_id);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${orders})
    INSERT INTO Orders (id, Name) SELECT i, 'Order ' || i FROM n;
  `);
  for (const price of listNumbers(linesOfEach))
    database.exec(
      `INSERT INTO Lines (order_id, Price) SELECT id, ${price} FROM Orders`,
    );
  const find = database.prepare(
    "SELECT 1 FROM Orders WHERE id = ? AND Document IS NOT NULL",
  );
  return {
    platform: "sql",
    credentials: { engine: "sqlite", file: "shop.sqlite", writable: true },
    tableId: "Orders",
    orderIds: listNumbers(orders).map(String),
    hasFile: (id) => find.get(id) !== undefined,
    close: () => Promise.resolve(void database.close()),
  };
}

/** On the server that PLATEN_TEST_NOCODB_URL names. */
async function openNocodb({
  orders,
  linesOfEach,
}: ShopSize): Promise<Shop | null> {
  const named = process.env.PLATEN_TEST_NOCODB_URL;
  if (!named) return null;
  const server = await NocodbServer.signIn(new URL(named));
  const token = await server.makeToken();
  const base = await server.makeBase("Bench");
  const table = await server.makeTable(base, "Orders", [
    { title: "Name", type: "SingleLineText" },
    { title: "Document", type: "Attachment" },
  ]);
  const lines = await server.makeTable(base, "Lines", [
    { title: "Price", type: "Number" },
  ]);
  const link = await server.addField(base, table, {
    title: "Lines",
    type: "Links",
    options: { relation_type: "hm", related_table_id: lines },
  });
  const numbers = listNumbers(orders);
  const orderIds = await server.addRows(
    base,
    table,
    numbers.map((order) => ({ Name: `Order ${order}` })),
  );
  for (const order of orderIds) {
    const prices = listNumbers(linesOfEach).map((Price) => ({ Price }));
    const ids = await server.addRows(base, lines, prices);
    await server.link(base, table, link, order, ids);
  }
  const proxies = await FaultProxies.start({ api: server.url });
  return {
    platform: "nocodb",
    credentials: { url: proxies.addresses.api, token },
    baseId: base,
    tableId: table,
    orderIds,
    countRequests: (work) => proxies.countRequests(work),
    hasFile: async (id) => {
      const path = `api/v2/tables/${table}/records/${id}?fields=Document`;
      const record = await server.send(
        path,
        z.object({ Document: z.unknown() }),
      );
      return Array.isArray(record.Document) && record.Document.length > 0;
    },
    close: () => proxies.close(),
  };
}
