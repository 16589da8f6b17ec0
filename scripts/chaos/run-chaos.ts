import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { LocalFileStore } from "../../core/storage/files/index.js";
import {
  Document,
  openStore,
  type Store,
} from "../../core/storage/database/index.js";
import { Api } from "./api.js";
import { checkAll } from "./check/check-all.js";
import { checkLeftovers } from "./check/check-leftovers.js";
import { countEach, type Evidence, type Loss } from "./check/evidence.js";
import { Cluster } from "./cluster.js";
import type { ChaosDatabase } from "./databases.js";
import { ENDPOINTS, MoodyReceiver } from "./moody-receiver.js";
import { untilQuiet } from "./quiet.js";
import { Sender } from "./sender.js";
import { planStrikes, type StrikeKind } from "./strikes.js";

export interface ChaosSettings {
  /** Where everything is, the database too when it is a file. */
  folder: string;
  database: ChaosDatabase;
  /** What Node runs: its options, and the path of the command line. */
  command: readonly string[];
  seed: number;
  kills: number;
  paceMs: number;
  workers: number;
  itemsOfBatch: readonly [least: number, most: number];
  leaseMs: number;
  /** For what is left to do after the last strike. */
  patienceMs: number;
  say: (text: string) => void;
  /** Ends the strikes early; what is left is done and checked all the same. */
  enough: AbortSignal;
}

export interface ChaosResult {
  seconds: number;
  struck: Record<StrikeKind, number>;
  /** Processes that ended by themselves: by the poison, or as they found no database. */
  deaths: Map<string, number>;
  batches: number;
  /** By status; `given up` are those under which too many workers were killed. */
  documents: Map<string, number>;
  messages: number;
  losses: Loss[];
}

/** Has batches rendered while processes and the database come and go, then looks whether all promises were kept. */
export async function runChaos(settings: ChaosSettings): Promise<ChaosResult> {
  const started = Date.now();
  const receiver = new MoodyReceiver(settings.seed);
  await receiver.listen();
  const poison = `poison ${randomUUID()}`;
  const cluster = await Cluster.start({ ...settings, poison });
  try {
    const result = await disturb(settings, { cluster, receiver, poison });
    return { ...result, seconds: (Date.now() - started) / 1000 };
  } finally {
    await cluster.end();
    await receiver.close();
  }
}

interface Scene {
  cluster: Cluster;
  receiver: MoodyReceiver;
  poison: string;
}

async function disturb(
  settings: ChaosSettings,
  { cluster, receiver, poison }: Scene,
): Promise<Omit<ChaosResult, "seconds">> {
  const { folder, seed } = settings;
  const key = await readFile(join(folder, "demo-key.txt"), "utf8");
  const api = new Api(cluster.url, key.trim());
  const endpoints = await subscribe(api, receiver);
  const { templateId, data } = await order(folder);
  const sending = { ...settings, seed, templateId, data, poison, ahead: 4 };
  const sender = new Sender(api, receiver, sending);
  const sent = sender.run(2);
  // Waited for below; until then its failure must not count as one that nobody handles.
  sent.catch(() => undefined);
  await strikeAll(settings, cluster);
  sender.stop();
  receiver.calmDown();
  await cluster.recover();
  await sent;
  settings.say("no more strikes; what is left is being done");
  return examine(settings, { cluster, receiver, sender, endpoints });
}

interface Aftermath {
  cluster: Cluster;
  receiver: MoodyReceiver;
  sender: Sender;
  endpoints: Awaited<ReturnType<typeof subscribe>>;
}

/** What became of all that was accepted. Ends the cluster. */
async function examine(
  { folder, database, patienceMs }: ChaosSettings,
  { cluster, receiver, sender, endpoints }: Aftermath,
): Promise<Omit<ChaosResult, "seconds">> {
  const log = pino({ level: "silent" });
  const { location } = database;
  const store = await openStore({ database: location, migrate: false, log });
  try {
    const left = await untilQuiet(store, patienceMs);
    await cluster.end();
    const files = new LocalFileStore(join(folder, "files"));
    await files.prepare();
    const { accepted } = sender;
    const { arrivals } = receiver;
    const evidence = { store, files, accepted, arrivals, endpoints };
    const losses = [
      ...(left === null ? [] : [{ kind: "not done in time", what: left }]),
      ...(await checkAll(evidence)),
      ...(await checkLeftovers(folder, cluster.parts)),
    ];
    return await summary(cluster, evidence, losses);
  } finally {
    await store.close();
  }
}

async function strikeAll(
  settings: ChaosSettings,
  cluster: Cluster,
): Promise<void> {
  const strikes = planStrikes(settings);
  for (const [index, strike] of strikes.entries()) {
    if (settings.enough.aborted) return;
    await cluster.strike(strike);
    if (index % 20 === 19)
      settings.say(`${index + 1} of ${strikes.length} strikes`);
  }
}

async function subscribe(
  api: Api,
  receiver: MoodyReceiver,
): Promise<Evidence["endpoints"]> {
  const create = async (name: (typeof ENDPOINTS)[number]) => {
    const body = { url: receiver.urlOf(name) };
    const path = "/api/webhooks";
    const made = await api.send({ method: "POST", path, body });
    return idOf(made);
  };
  const [steady, moody, leaving] = ENDPOINTS;
  return {
    [steady]: await create(steady),
    [moody]: await create(moody),
    [leaving]: await create(leaving),
  };
}

function idOf(value: unknown): string {
  if (typeof value === "object" && value !== null && "id" in value)
    return String(value.id);
  throw new Error(`no id: ${JSON.stringify(value)}`);
}

/** The demo organization's invoice. */
async function order(
  folder: string,
): Promise<{ templateId: string; data: object }> {
  return JSON.parse(await readFile(join(folder, "demo-invoice.json"), "utf8"));
}

async function summary(
  { parts, struck }: Cluster,
  { store, accepted, arrivals }: Evidence,
  losses: Loss[],
): Promise<Omit<ChaosResult, "seconds">> {
  return {
    struck,
    deaths: countEach(parts.flatMap(({ deaths }) => deaths)),
    batches: accepted.length,
    documents: await outcomes(store),
    messages: arrivals.length,
    losses,
  };
}

async function outcomes({ read }: Store): Promise<Map<string, number>> {
  const rows = await read.find(Document, {
    select: { status: true, error: true },
  });
  return countEach(
    rows.map(({ status, error }) =>
      error?.startsWith("The process that rendered") ? "given up" : status,
    ),
  );
}
