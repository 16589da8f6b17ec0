import { execFile } from "node:child_process";
import { once } from "node:events";
import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { type AttackRequest, ATTACKS, type AttackTools } from "./attacks.js";
import { percentiles, rounded } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import {
  ApiClient,
  CLI,
  type DataFolder,
  type ExportRequest,
  type ServiceProcess,
  startDemo,
} from "./service.js";

/** How many callers of one organization send an attack at once, and how long each is sent. */
const CALLERS = 8;
const ATTACK_MS = 6000;
/** After a connection was cut. */
const RETRY_MS = 20;
/** What a failed invoice counts as, in ms. */
const FAILED_MS = 60_000;
const BASELINE_COUNT = 60;

/** `attacks` stands for all. */
const GROUP = "attacks";

/**
 * What the answers to others take while one organization sends requests that burden the service: the slowest of
 * `/health/live`, and the invoice of another organization as a ratio of its usual time.
 */
export const ATTACK_RESULTS: Group = {
  names: [GROUP, ...Object.keys(ATTACKS)],
  results: async () => {
    const results: BenchResult[] = [];
    let bench = await AttackBench.start();
    try {
      for (const name of Object.keys(ATTACKS)) {
        if (!isWanted(GROUP) && !isWanted(name)) continue;
        const result = await bench.measure(name);
        results.push(result);
        process.stderr.write(`${JSON.stringify(result)}\n`);
        if (await bench.isIdle()) continue;
        // What an attack has left behind must not count for the next.
        await bench.stop();
        bench = await AttackBench.start();
      }
      return results;
    } finally {
      await bench.stop();
    }
  },
};

/** A service with two organizations: the demo's, whose invoice is measured, and the attacker's. */
class AttackBench {
  private constructor(
    private readonly folder: DataFolder,
    private readonly service: ServiceProcess,
    private readonly other: ApiClient,
    private readonly invoice: ExportRequest,
    private readonly attackerKey: string,
    private readonly usualP95Ms: number,
  ) {}

  static async start(): Promise<AttackBench> {
    const { folder, service, client: other, ...demo } = await startDemo();
    const invoice = { ...demo.invoice, formats: ["pdf"] };
    const key = await createAttacker(folder.path);
    await measureInvoices(other, invoice, () => BASELINE_COUNT / 3);
    const usual = await measureInvoices(other, invoice, () => BASELINE_COUNT);
    const { p95Ms } = percentiles(usual);
    return new AttackBench(folder, service, other, invoice, key, p95Ms);
  }

  async measure(name: string): Promise<BenchResult> {
    const attack = await this.#prepare(name);
    const end = new AbortController();
    const callers = Array.from({ length: CALLERS }, () =>
      this.#send(attack, end.signal),
    );
    const prober = new Worker(new URL("./health-prober.mjs", import.meta.url), {
      workerData: `${this.service.url}/health/live`,
    });
    const invoices = measureInvoices(this.other, this.invoice, (count) =>
      end.signal.aborted ? 0 : count + 1,
    );
    await wait(ATTACK_MS);
    end.abort();
    prober.postMessage("end", []);
    const [healthWorstMs]: number[] = await once(prober, "message");
    const { p95Ms } = percentiles(await invoices);
    await Promise.all(callers);
    return {
      name: `attack: ${name}`,
      healthWorstMs: rounded(healthWorstMs ?? FAILED_MS),
      invoiceRatio: rounded(p95Ms / this.usualP95Ms, 1),
    };
  }

  /** Whether the service is as quick again as it was; it gets ten seconds. */
  async isIdle(): Promise<boolean> {
    for (let tries = 0; tries < 10; tries += 1) {
      const some = await measureInvoices(this.other, this.invoice, () => 4);
      if (Math.max(...some) < 1.5 * this.usualP95Ms) return true;
      await wait(500);
    }
    return false;
  }

  async stop(): Promise<void> {
    this.other.close();
    await this.service.stop();
    await this.folder.remove();
  }

  async #prepare(name: string): Promise<AttackRequest> {
    const attack = ATTACKS[name];
    if (!attack) throw new Error(`There is no attack ${name}.`);
    const client = new ApiClient(this.service.url, this.attackerKey);
    const tools: AttackTools = {
      async createTemplate(definition, templateType = "document") {
        const body = { name: "Attack", templateType, definition };
        const answer = await client.post("/api/templates", body);
        return JSON.parse(answer.toString()).id;
      },
    };
    try {
      return await attack(tools);
    } finally {
      client.close();
    }
  }

  /** Sends an attack again and again; what the answer is does not matter. */
  async #send(attack: AttackRequest, signal: AbortSignal): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    while (!signal.aborted)
      await answerTo(this.#request(attack, agent, signal)).catch(() =>
        wait(RETRY_MS),
      );
    agent.destroy();
  }

  #request(
    attack: AttackRequest,
    agent: Agent,
    signal: AbortSignal,
  ): ClientRequest {
    const { path, body, method = "POST" } = attack;
    const { contentType = "application/json", headers } = attack;
    const call = request(this.service.url + path, {
      method,
      agent,
      signal,
      headers: {
        "x-api-key": this.attackerKey,
        "content-type": contentType,
        "content-length": body.length,
        ...headers,
      },
    });
    call.end(body);
    return call;
  }
}

async function answerTo(call: ClientRequest): Promise<number> {
  const [response] = await once(call, "response");
  response.resume();
  await once(response, "end");
  return response.statusCode;
}

/** @param count how many there shall be, by how many there are. @returns times in ms */
async function measureInvoices(
  client: ApiClient,
  invoice: ExportRequest,
  count: (measured: number) => number,
): Promise<number[]> {
  const times: number[] = [];
  do {
    const started = performance.now();
    const isAnswered = await client.post("/api/export", invoice).then(
      () => true,
      () => false,
    );
    times.push(isAnswered ? performance.now() - started : FAILED_MS);
  } while (times.length < count(times.length));
  return times;
}

async function createAttacker(data: string): Promise<string> {
  const run = async (...words: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [CLI, ...words, "--json"],
      { env: { ...process.env, PLATEN_DATA: data } },
    );
    return JSON.parse(stdout);
  };
  const org = ["org", "create", "--name", "Attacker", "--plan", "enterprise"];
  const { id }: { id: string } = await run(...org);
  const made = await run("key", "create", "--org", id, "--scopes", "all");
  return made.key;
}
