import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Config } from "../../config/index.js";
import { clock } from "../lib/clock.js";
import type { Log } from "../plugin-api/index.js";

// `platen serve --processes 4`: one process uses one core for its own work. The primary process starts, watches and stops
// the members, which run the whole service each and share its port; Node hands connections to them in turn.

/** What a member tells the primary once it answers requests. */
interface ReadyMessage {
  readyAt: string;
}

/** To a member: let running requests end, then end. */
const STOP = "stop";
const RESTART_MS = 1000;
/** The variable that tells a member its number, from 0. */
export const MEMBER = "PLATEN_MEMBER";

/** A member's part of what the configuration gives all of them. */
export function toMemberConfig(
  config: Config,
  member: number,
  processes: number,
): Config {
  const { render, metrics } = config;
  const pages = Math.ceil(render.pages / processes);
  return {
    ...config,
    render: { ...render, pages },
    // A scrape reads the metrics of one process, so each has a port of its own.
    metrics: metrics && {
      ...metrics,
      port: metrics.port && metrics.port + member,
    },
  };
}

/** As a member: tells the primary that this process answers requests at the URL. */
export function announceReady(url: string): void {
  process.send?.({ readyAt: url } satisfies ReadyMessage);
}

/** As a member: calls `end` when the primary asks for it or has ended. */
export function onPrimaryStop(end: () => void): void {
  process.on("message", (message) => {
    if (message === STOP) end();
  });
  process.on("disconnect", end);
}

/**
 * Runs the members until SIGTERM or SIGINT. One that ends otherwise is replaced. Resolves once all are ready; ends the
 * process when one cannot start, which has said why by then.
 */
export async function runMembers(count: number, log: Log): Promise<void> {
  const group = new MemberGroup(log);
  process.on("SIGTERM", (signal) => void group.stop(signal));
  process.on("SIGINT", (signal) => void group.stop(signal));
  await group.start(count);
}

class MemberGroup {
  readonly #members = new Map<number, Worker>();
  #isStopping = false;

  constructor(private readonly log: Log) {}

  async start(count: number): Promise<void> {
    try {
      // The first prepares an empty database, while the others would wait for it.
      const url = await this.#startMember(0);
      const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
      await Promise.all(others.map((number) => this.#startMember(number)));
      if (this.#isStopping) return;
      this.log.info({ url, processes: count }, "platen is ready");
    } catch {
      if (!this.#isStopping) this.#endNow();
    }
  }

  /** Lets running requests end; a second call ends at once. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.#isStopping) this.#endNow();
    this.#isStopping = true;
    this.log.info({ signal }, "stopping");
    await Promise.all(
      this.#living().map(async (member) => {
        const ended = once(member, "exit");
        member.send(STOP);
        await ended;
      }),
    );
    this.log.info({}, "stopped");
    process.exit();
  }

  /** @returns the URL at which it answers. Rejects when it ends before it is ready. */
  async #startMember(number: number): Promise<string> {
    const member = cluster.fork({ [MEMBER]: String(number) });
    this.#members.set(number, member);
    const ended = once(member, "exit").then(() => null);
    const said = await Promise.race([once(member, "message"), ended]);
    if (said === null) throw new Error(`member ${number} did not start`);
    void ended.then(() => this.#replace(number, member));
    const [message]: (ReadyMessage | undefined)[] = said;
    return message?.readyAt ?? "";
  }

  async #replace(number: number, { process: ended }: Worker): Promise<void> {
    if (this.#isStopping) return;
    const { pid, exitCode, signalCode: signal } = ended;
    this.log.error(
      { pid, exitCode, signal },
      "a process of the service ended: another one is started",
    );
    for (;;) {
      await clock.sleep(RESTART_MS);
      if (this.#isStopping) return;
      try {
        await this.#startMember(number);
        return;
      } catch {
        // It has said why. Until it starts, the others answer.
      }
    }
  }

  #living(): Worker[] {
    return [...this.#members.values()].filter((member) => !member.isDead());
  }

  #endNow(): never {
    for (const member of this.#living()) member.process.kill("SIGKILL");
    process.exit(1);
  }
}
