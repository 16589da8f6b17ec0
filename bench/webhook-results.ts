import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { Pool } from "undici";
import { startMariaDb } from "./mariadb.js";
import { rounded, UsageWatch } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import { ApiClient, DataFolder, startProcess } from "./service.js";

interface WebhookScenario {
  name: string;
  endpoints: number;
  /** Different events; each endpoint gets all. */
  events: number;
  isOnMariaDb?: boolean;
}

const SCENARIOS: readonly WebhookScenario[] = [
  { name: "webhooks", endpoints: 4, events: 2000 },
  { name: "webhooks-one", endpoints: 1, events: 4000 },
  { name: "webhooks-mariadb", endpoints: 4, events: 2000, isOnMariaDb: true },
];

/** As many as the service sends at once to four endpoints of one organization. */
const CONNECTIONS = 32;
const LOOK_MS = 20;

/** Deliveries of events that happened before, to endpoints that answer at once: from the request to the last of them. */
export const WEBHOOKS: Group = {
  names: SCENARIOS.map(({ name }) => name),
  results: async () => {
    const results: BenchResult[] = [];
    const wanted = SCENARIOS.filter(({ name }) => isWanted(name));
    for (const scenario of wanted.filter((one) => !one.isOnMariaDb))
      results.push(...(await measure(scenario)));
    const onMariaDb = wanted.filter((one) => one.isOnMariaDb);
    const server = onMariaDb.length > 0 ? await startMariaDb() : null;
    try {
      for (const scenario of onMariaDb)
        if (server)
          results.push(
            ...(await measure(scenario, await server.newDatabase())),
          );
    } finally {
      await server?.end();
    }
    return results;
  },
};

async function measure(
  { name, endpoints, events }: WebhookScenario,
  databaseUrl?: string,
): Promise<BenchResult[]> {
  const receiver = await WebhookReceiver.start();
  const folder = await DataFolder.make();
  const service = await startProcess("all", {
    PLATEN_DATA: folder.path,
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.1/32",
    ...(databaseUrl && { PLATEN_DATABASE_URL: databaseUrl }),
  });
  const client = new ApiClient(service.url, await folder.key());
  try {
    const hooks = await Promise.all(
      Array.from({ length: endpoints }, () =>
        createEndpoint(client, receiver.url),
      ),
    );
    const since = new Date(Date.now() - 1000).toISOString();
    await recordEvents(client, events);
    for (const { id } of hooks) await waitUntilEnded(client, id);
    for (const { id } of hooks)
      await client.patch(`/api/webhooks/${id}`, { isEnabled: true });
    // Each endpoint also gets `documents.completed`.
    const count = endpoints * (events + 1);
    const replayAll = async () => {
      const arrived = receiver.receive(count);
      await Promise.all(
        hooks.map(({ id }) =>
          client.post(`/api/webhooks/${id}/replay`, { since }),
        ),
      );
      const received = await arrived;
      for (const { id } of hooks) await waitUntilEnded(client, id);
      return received;
    };
    await replayAll();
    const watch = await UsageWatch.start([service.pid]);
    const { ms, samples } = await replayAll();
    const { cpuMs, peakPssMb } = await watch.end();
    verify(
      samples,
      hooks.map(({ secret }) => secret),
    );
    const rawMs = await sendAlone(receiver, count, samples[0]?.body ?? "");
    return [
      {
        name: `${name}-undici`,
        docsPerSecond: rounded(count / (rawMs / 1000)),
      },
      {
        name,
        docsPerSecond: rounded(count / (ms / 1000)),
        cpuMsPerDoc: rounded(cpuMs / count, 2),
        peakPssMb: rounded(peakPssMb),
        seconds: rounded(ms / 1000, 2),
        ofLimit: rounded(ms / rawMs, 1),
      },
    ];
  } finally {
    client.close();
    await service.stop();
    await folder.remove();
    receiver.stop();
  }
}

/** Disabled, so that it gets its deliveries only when they are replayed. */
async function createEndpoint(
  client: ApiClient,
  url: string,
): Promise<{ id: string; secret: string }> {
  const reply = await client.post("/api/webhooks", { url });
  const endpoint: { id: string; secret: string } = JSON.parse(reply.toString());
  await client.patch(`/api/webhooks/${endpoint.id}`, { isEnabled: false });
  return endpoint;
}

/** Has a batch end so many documents. */
async function recordEvents(client: ApiClient, count: number): Promise<void> {
  const template = await client.post("/api/templates", {
    name: "Events",
    definition: {
      schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
      components: [{ type: "text", text: "{{ root.name }}" }],
    },
  });
  const { id: templateId }: { id: string } = JSON.parse(template.toString());
  await client.post("/api/export/batch", {
    templateId,
    formats: ["html"],
    items: Array.from({ length: count }, (_, at) => ({
      data: { name: `Customer ${at}` },
      metadata: { orderId: `order-${at}` },
    })),
  });
}

/** Waits until the endpoint was told, or could not be told, that the batch is completed, and everything is recorded. */
async function waitUntilEnded(client: ApiClient, id: string): Promise<void> {
  const find = async (status: string) => {
    const path = `/api/webhooks/${id}/deliveries?pageSize=1&status=${status}`;
    const reply = await client.get(path);
    const { data }: { data: { type: string }[] } = JSON.parse(reply.toString());
    return data[0]?.type;
  };
  for (;;) {
    const isOpen = (await find("pending")) ?? (await find("held"));
    const last = (await find("delivered")) ?? (await find("exhausted"));
    if (!isOpen && last === "documents.completed") return;
    await pause(LOOK_MS);
  }
}

interface Sample {
  headers: Record<string, string>;
  body: string;
}

/** @throws Error for a message that none of the secrets has signed. */
function verify(samples: readonly Sample[], secrets: readonly string[]): void {
  for (const { headers, body } of samples)
    if (!secrets.some((secret) => isSigned(secret, body, headers)))
      throw new Error(`not signed: ${body}`);
}

function isSigned(
  secret: string,
  body: string,
  headers: Record<string, string>,
): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** The limit: undici with as many connections, the same body and no signature. */
async function sendAlone(
  receiver: WebhookReceiver,
  count: number,
  body: string,
): Promise<number> {
  const { origin } = new URL(receiver.url);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const arrived = receiver.receive(count);
  let left = count;
  const send = async () => {
    for (; left > 0;) {
      left -= 1;
      const reply = await pool.request({
        path: "/",
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      await reply.body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  const { ms } = await arrived;
  await pool.close();
  return ms;
}

/** See webhook-receiver.ts. */
class WebhookReceiver {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<WebhookReceiver> {
    const script = fileURLToPath(
      new URL("webhook-receiver.ts", import.meta.url),
    );
    const child = fork(script, { execArgv: ["--import", "tsx"] });
    const [said]: { port: number }[] = await once(child, "message");
    return new WebhookReceiver(child, `http://127.0.0.1:${said?.port}/`);
  }

  /** @returns how long it takes until so many different messages are there, in ms, and some of them. */
  async receive(count: number): Promise<{ ms: number; samples: Sample[] }> {
    const started = performance.now();
    this.child.send({ expected: count });
    const [said]: { samples: Sample[] }[] = await once(this.child, "message");
    return { ms: performance.now() - started, samples: said?.samples ?? [] };
  }

  stop(): void {
    this.child.disconnect();
  }
}
