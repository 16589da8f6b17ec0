import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import {
  FilesAndTexts,
  LocalFileStore,
} from "../../core/storage/files/index.js";
import {
  Document,
  openStore,
  SequenceNumber,
  type Store,
} from "../../core/storage/database/index.js";
import { Api } from "./api.js";
import {
  checkAll,
  checkLeftovers,
  countEach,
  type Evidence,
  type Loss,
} from "./checks.js";
import { Attacker } from "./attacker.js";
import { Cluster, environment } from "./cluster.js";
import type { ChaosDatabase } from "./databases.js";
import { ENDPOINTS, FlakyReceiver } from "./flaky-receiver.js";
import { waitUntilDrained } from "./drain.js";
import { freeNumbers, numberedDefinition, NumberedRenders } from "./numbers.js";
import { Sender } from "./sender.js";
import { planFaults, type FaultKind } from "./fault-plan.js";

export interface ChaosSettings {
  /** Where everything is, the database too when it is a file. */
  folder: string;
  database: ChaosDatabase;
  /** What Node runs: its options, and the path of the command line. */
  command: readonly string[];
  seed: number;
  kills: number;
  intervalMs: number;
  workers: number;
  itemsOfBatch: readonly [min: number, max: number];
  leaseMs: number;
  /** How long to wait for the remaining work after the last fault. */
  timeoutMs: number;
  /** Numbers of documents whose process died are free as soon as nothing renders, instead of a minute after it. */
  freesNumbers?: boolean;
  /** Another organization sends requests that burden the service meanwhile. */
  withAttacks?: boolean;
  say: (text: string) => void;
  /** Ends the faults early; accepted batches are still finished and checked. */
  enough: AbortSignal;
}

export interface ChaosResult {
  seconds: number;
  injected: Record<FaultKind, number>;
  /** Unexpected exits: by the poison document or without a database. */
  deaths: Map<string, number>;
  batches: number;
  /**
   * By status; `given up` are those that crashed too many workers, `failed on purpose` those that were sent to fail, and
   * others that failed are listed with their error.
   */
  documents: Map<string, number>;
  numbers: { given: number; openAtEnd: number };
  messages: number;
  /** Answered requests of the attacks; null without any. */
  attacks: number | null;
  losses: Loss[];
}

/** Renders batches while faults are injected, then checks that all promises were kept. */
export async function runChaos(settings: ChaosSettings): Promise<ChaosResult> {
  const started = Date.now();
  const receiver = new FlakyReceiver(settings.seed);
  await receiver.listen();
  const poison = `poison ${randomUUID()}`;
  const cluster = await Cluster.start({ ...settings, poison });
  try {
    const result = await runWithFaults(settings, { cluster, receiver, poison });
    return { ...result, seconds: (Date.now() - started) / 1000 };
  } finally {
    await cluster.end();
    await receiver.close();
  }
}

interface Run {
  cluster: Cluster;
  receiver: FlakyReceiver;
  poison: string;
}

async function runWithFaults(
  settings: ChaosSettings,
  { cluster, receiver, poison }: Run,
): Promise<Omit<ChaosResult, "seconds">> {
  const { folder, seed } = settings;
  const key = await readFile(join(folder, "demo-key.txt"), "utf8");
  const api = new Api(cluster.url, key.trim());
  const endpoints = await subscribe(api, receiver);
  const { templateId, data } = await readDemoInvoice(folder);
  const numberedId = await createNumberedTemplate(api);
  const sending = {
    ...settings,
    templateId,
    data,
    numberedId,
    poison,
    ahead: 4,
  };
  const sender = new Sender(api, receiver, sending);
  const renders = new NumberedRenders(api, numberedId, seed);
  const sent = Promise.all([sender.run(2), renders.run()]);
  // Waited for below; until then its failure must not count as one that nobody handles.
  sent.catch(() => undefined);
  const end = new AbortController();
  const attacker = settings.withAttacks
    ? await createAttacker(settings, cluster)
    : null;
  const attacks = attacker?.run(end.signal);
  await injectFaults(settings, cluster);
  end.abort();
  await attacks;
  sender.stop();
  renders.stop();
  receiver.acceptAll();
  await cluster.recover();
  await sent;
  settings.say("no more faults; waiting for the remaining work");
  const result = await checkResult(settings, {
    cluster,
    receiver,
    sender,
    renders,
    endpoints,
  });
  return { ...result, attacks: attacker?.answered ?? null };
}

function createAttacker(
  settings: ChaosSettings,
  { url }: Cluster,
): Promise<Attacker> {
  const env = environment(settings, Number(new URL(url).port));
  return Attacker.create(url, settings.command, env);
}

async function createNumberedTemplate(api: Api): Promise<string> {
  const body = {
    name: "Numbered",
    templateType: "document",
    definition: numberedDefinition,
  };
  return getId(
    await api.send({ method: "POST", path: "/api/templates", body }),
  );
}

type CheckedRun = Omit<ChaosResult, "seconds" | "attacks">;

interface FinishedRun {
  cluster: Cluster;
  receiver: FlakyReceiver;
  sender: Sender;
  renders: NumberedRenders;
  endpoints: Awaited<ReturnType<typeof subscribe>>;
}

/** Checks everything that was accepted. Stops the cluster. */
async function checkResult(
  { folder, database, timeoutMs, freesNumbers }: ChaosSettings,
  { cluster, receiver, sender, renders, endpoints }: FinishedRun,
): Promise<CheckedRun> {
  const log = pino({ level: "silent" });
  const { location } = database;
  const store = await openStore({ database: location, migrate: false, log });
  try {
    const left = await waitUntilDrained(store, timeoutMs);
    if (freesNumbers) await freeNumbers(store);
    const openAtEnd = await renders.fillGaps(store, timeoutMs);
    await cluster.end();
    const files = new FilesAndTexts(
      new LocalFileStore(join(folder, "files")),
      store,
    );
    await files.prepare();
    const { accepted } = sender;
    const { arrivals } = receiver;
    const { printed } = renders;
    const evidence = { store, files, accepted, arrivals, endpoints, printed };
    const losses = [
      ...(left === null ? [] : [{ kind: "not done in time", what: left }]),
      ...(await checkAll(evidence)),
      ...(await checkLeftovers(folder, cluster.parts)),
    ];
    const given = await store.read.count(SequenceNumber);
    const numbers = { given, openAtEnd };
    return { ...(await summary(cluster, evidence, losses)), numbers };
  } finally {
    await store.close();
  }
}

async function injectFaults(
  settings: ChaosSettings,
  cluster: Cluster,
): Promise<void> {
  const faults = planFaults(settings);
  for (const [index, fault] of faults.entries()) {
    if (settings.enough.aborted) return;
    await cluster.inject(fault);
    if (index % 20 === 19)
      settings.say(`${index + 1} of ${faults.length} faults`);
  }
}

async function subscribe(
  api: Api,
  receiver: FlakyReceiver,
): Promise<Evidence["endpoints"]> {
  const create = async (name: (typeof ENDPOINTS)[number]) => {
    const body = { url: receiver.getUrl(name) };
    const path = "/api/webhooks";
    const made = await api.send({ method: "POST", path, body });
    return getId(made);
  };
  const [steady, flaky, leaving] = ENDPOINTS;
  return {
    [steady]: await create(steady),
    [flaky]: await create(flaky),
    [leaving]: await create(leaving),
  };
}

function getId(value: unknown): string {
  if (typeof value === "object" && value !== null && "id" in value)
    return String(value.id);
  throw new Error(`no id: ${JSON.stringify(value)}`);
}

/** The demo organization's invoice. */
async function readDemoInvoice(
  folder: string,
): Promise<{ templateId: string; data: object }> {
  return JSON.parse(await readFile(join(folder, "demo-invoice.json"), "utf8"));
}

async function summary(
  { parts, injected }: Cluster,
  { store, accepted, arrivals }: Evidence,
  losses: Loss[],
): Promise<Omit<CheckedRun, "numbers">> {
  return {
    injected,
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
    rows.map(({ status, error }) => {
      if (error?.startsWith("The process that rendered")) return "given up";
      if (error?.includes("failedAssets")) return "failed on purpose";
      return status === "failed"
        ? `failed (${String(error).slice(0, 120)})`
        : status;
    }),
  );
}
