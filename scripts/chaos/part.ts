import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { living, type ProcessMark, treeOf } from "./process-tree.js";

export interface PartSettings {
  role: "serve" | "worker";
  /** What Node runs: its own options and the path of the command line. */
  command: readonly string[];
  env: Record<string, string>;
  logFile: string;
}

const faults = new URL("./faults.mjs", import.meta.url).href;
/** Longer than the service's own grace. */
const patienceMs = 45_000;
const restartMs = 300;

/** `platen serve` or `platen worker`, which a supervisor starts again whenever it has ended. */
export class Part {
  #child: ChildProcess | null = null;
  #isWanted = false;
  #isBusy = false;
  #isReady = false;
  /** Every process that was there at a strike. */
  readonly seen: ProcessMark[] = [];
  readonly pids: number[] = [];
  /** Ends that nobody had asked for. */
  readonly deaths: string[] = [];
  /** What was wrong with the way in which it ended when it was told to. */
  readonly faults: string[] = [];

  constructor(private readonly settings: PartSettings) {}

  get role(): PartSettings["role"] {
    return this.settings.role;
  }

  /** Whether it can be struck: not while it is stalled, or ends. */
  get isUp(): boolean {
    return this.#child !== null && !this.#isBusy;
  }

  /** Whether it has said that it is ready, since it was started. */
  get isReady(): boolean {
    return this.isUp && this.#isReady;
  }

  start(clockSkewMs = 0): void {
    const { role, command, env, logFile } = this.settings;
    const args = ["--import", faults, ...command, role];
    const child = spawn(process.execPath, args, {
      env: { ...env, CHAOS_CLOCK_SKEW_MS: String(clockSkewMs) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#isWanted = true;
    this.#isReady = false;
    this.#child = child;
    this.pids.push(child.pid ?? 0);
    child.once("exit", (code, signal) => void this.#ended(child, code, signal));
    child.stderr.on("data", (text: Buffer) => appendFileSync(logFile, text));
    child.stdout.on("data", (text: Buffer) => {
      appendFileSync(logFile, text);
      if (text.includes("platen is ready")) this.#isReady = true;
    });
  }

  /** Kills it without warning, and starts another in its place. */
  async kill(clockSkewMs: number): Promise<void> {
    await this.#replace("SIGKILL", clockSkewMs);
  }

  /** Tells it to end, and starts another when it has. */
  async terminate(clockSkewMs: number): Promise<void> {
    await this.#replace("SIGTERM", clockSkewMs);
  }

  /** Stops it in whatever it does, and lets it go on later. */
  async stall(milliseconds: number): Promise<void> {
    this.#isBusy = true;
    this.#child?.kill("SIGSTOP");
    await pause(milliseconds);
    this.#child?.kill("SIGCONT");
    this.#isBusy = false;
  }

  /** Has it end for good. */
  async end(): Promise<void> {
    this.#isWanted = false;
    await this.look();
    await this.#signal("SIGTERM");
  }

  /** What of its processes, over all its lives, still runs. */
  leftovers(): Promise<ProcessMark[]> {
    return living(this.seen);
  }

  /** Notes the processes of this moment. @returns how many ended ones nobody has reaped */
  async look(): Promise<number> {
    const tree = await treeOf(this.#child?.pid ?? -1);
    this.seen.push(...tree);
    return tree.filter(({ isZombie }) => isZombie).length;
  }

  async #replace(signal: NodeJS.Signals, clockSkewMs: number): Promise<void> {
    this.#isBusy = true;
    this.#isWanted = false;
    await this.look();
    await this.#signal(signal);
    this.start(clockSkewMs);
    this.#isBusy = false;
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    // One that was still starting may have found no database.
    const wasReady = this.#isReady;
    const exited = once(child, "exit");
    child.kill(signal);
    const late = pause(patienceMs, "late" as const, { ref: false });
    if ((await Promise.race([exited, late])) === "late") {
      this.faults.push(
        `${this.role} did not end ${patienceMs} ms after ${signal}`,
      );
      child.kill("SIGKILL");
      await exited;
    } else if (wasReady && (child.exitCode ?? 0) !== 0)
      this.faults.push(`${this.role} ended by ${signal} with ${endOf(child)}`);
  }

  async #ended(
    child: ChildProcess,
    code: number | null,
    signal: NodeJS.Signals | null,
  ): Promise<void> {
    if (this.#child === child) this.#child = null;
    if (!this.#isWanted) return;
    this.deaths.push(`${this.role}: ${String(signal ?? code)}`);
    await pause(restartMs);
    if (this.#isWanted && this.#child === null) this.start();
  }
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${String(exitCode)}`;
}
