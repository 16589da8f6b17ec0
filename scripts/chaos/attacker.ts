import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { ATTACKS, type AttackRequest } from "../../bench/attacks.js";

/** How long one attack lasts, and how many callers send it. */
const ATTACK_MS = 10_000;
const CALLERS = 2;
const RETRY_MS = 250;

/** These accept batches, but a run checks that only its own exist. */
const WITH_BATCHES: readonly string[] = ["batch-items", "batch-prints"];

/**
 * An organization whose requests burden the service, one attack after the other. What is answered does not matter: the
 * service may be away.
 */
export class Attacker {
  /** Requests that were answered. */
  answered = 0;

  private constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /**
   * Creates the organization and a key for it.
   * @param command what Node runs for the command line
   */
  static async create(
    url: string,
    command: readonly string[],
    env: Record<string, string>,
  ): Promise<Attacker> {
    const run = async (...words: string[]) => {
      const all = [...command, ...words, "--json"];
      const { stdout } = await promisify(execFile)(process.execPath, all, {
        env,
      });
      return JSON.parse(stdout);
    };
    const plan = ["--plan", "enterprise"];
    const { id } = await run("org", "create", "--name", "Attacker", ...plan);
    const made = await run("key", "create", "--org", id, "--scopes", "all");
    return new Attacker(url, made.key);
  }

  async run(signal: AbortSignal): Promise<void> {
    const names = Object.keys(ATTACKS).filter(
      (name) => !WITH_BATCHES.includes(name),
    );
    for (let index = 0; !signal.aborted; index += 1) {
      const attack = ATTACKS[names[index % names.length] ?? ""];
      const end = AbortSignal.any([signal, AbortSignal.timeout(ATTACK_MS)]);
      const createTemplate = (definition: object, templateType = "document") =>
        this.#createTemplate({ definition, templateType }, end);
      try {
        const request = await attack?.({ createTemplate });
        if (!request) continue;
        const callers = Array.from({ length: CALLERS }, () =>
          this.#repeat(request, end),
        );
        await Promise.all(callers);
      } catch {
        await pause(RETRY_MS);
      }
    }
  }

  async #createTemplate(template: object, signal: AbortSignal) {
    const body = Buffer.from(JSON.stringify({ name: "Attack", ...template }));
    const response = await this.#send({ path: "/api/templates", body }, signal);
    const { id } = JSON.parse(await response.text());
    if (typeof id !== "string") throw new Error("The template was rejected.");
    return id;
  }

  async #repeat(request: AttackRequest, signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      try {
        const response = await this.#send(request, signal);
        await response.arrayBuffer();
        this.answered += 1;
      } catch {
        await pause(RETRY_MS);
      }
  }

  #send(request: AttackRequest, signal: AbortSignal): Promise<Response> {
    const { path, body, method = "POST", headers } = request;
    return fetch(this.url + path, {
      method,
      headers: {
        "x-api-key": this.key,
        "content-type": request.contentType ?? "application/json",
        ...headers,
      },
      body: new Uint8Array(body),
      signal,
    });
  }
}
