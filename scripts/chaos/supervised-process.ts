import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

interface ProcessSettings {
  role: "serve" | "worker";
  /** What Node runs: its own options and the path of the command line. */
  command: readonly string[];
  env: Record<string, string>;
  logFile: string;
}

const preload = new URL("./faults.mjs", import.meta.url).href;
/** Longer than the service's own grace. */
const timeoutMs = 45_000;
const restartMs = 300;

/** `platen serve` or `platen worker`, which is started again whenever it exits. */
export class SupervisedProcess {
  #child: ChildProcess | null = null;
  #isWanted = false;
  #isBusy = false;
  #isReady = false;
  /** Every process that existed at a fault. */
  readonly seen: ProcessMark[] = [];
  readonly pids: number[] = [];
  /** Unexpected exits. */
  readonly deaths: string[] = [];
  /** Problems of its requested stops. */
  readonly stopFailures: string[] = [];

  constructor(private readonly settings: ProcessSettings) {}

  get role(): ProcessSettings["role"] {
    return this.settings.role;
  }

  /** Whether a fault can be injected: not while it is stalled or stopping. */
  get isUp(): boolean {
    return this.#child !== null && !this.#isBusy;
  }

  /** Whether it has reported that it is ready since its start. */
  get isReady(): boolean {
    return this.isUp && this.#isReady;
  }

  start(clockSkewMs = 0): void {
    const { role, command, env, logFile } = this.settings;
    const args = ["--import", preload, ...command, role];
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

  /** Kills it and starts another in its place. */
  async kill(clockSkewMs: number): Promise<void> {
    await this.#replace("SIGKILL", clockSkewMs);
  }

  /** Stops it cleanly and starts another in its place. */
  async terminate(clockSkewMs: number): Promise<void> {
    await this.#replace("SIGTERM", clockSkewMs);
  }

  /** Suspends it for a while. */
  async stall(milliseconds: number): Promise<void> {
    this.#isBusy = true;
    this.#child?.kill("SIGSTOP");
    await pause(milliseconds);
    this.#child?.kill("SIGCONT");
    this.#isBusy = false;
  }

  /** Stops it permanently. */
  async end(): Promise<void> {
    this.#isWanted = false;
    await this.look();
    await this.#signal("SIGTERM");
  }

  /** Its processes, of all its starts, that still run. */
  leftovers(): Promise<ProcessMark[]> {
    return living(this.seen);
  }

  /** Records its current processes. @returns the number of zombies */
  async look(): Promise<number> {
    const tree = await getTree(this.#child?.pid ?? -1);
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
    const late = pause(timeoutMs, "late" as const, { ref: false });
    if ((await Promise.race([exited, late])) === "late") {
      this.stopFailures.push(
        `${this.role} did not end ${timeoutMs} ms after ${signal}`,
      );
      child.kill("SIGKILL");
      await exited;
    } else if (wasReady && (child.exitCode ?? 0) !== 0)
      this.stopFailures.push(
        `${this.role} ended by ${signal} with ${describeExit(child)}`,
      );
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

function describeExit({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${String(exitCode)}`;
}

/** A process that cannot be mistaken for a later one with the same id. */
interface ProcessMark {
  pid: number;
  /** Since the machine's start, in its clock's ticks. */
  startedAt: string;
  parent: number;
  isZombie: boolean;
}

/** The process and all below it. */
async function getTree(root: number): Promise<ProcessMark[]> {
  const all = await allProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree)
    tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** Those that still run. What nobody has reaped yet runs no more. */
async function living(marks: readonly ProcessMark[]): Promise<ProcessMark[]> {
  const all = await allProcesses();
  const isSame = (a: ProcessMark, b: ProcessMark) =>
    a.pid === b.pid && a.startedAt === b.startedAt;
  return all.filter(
    (one) => !one.isZombie && marks.some((mark) => isSame(mark, one)),
  );
}

async function allProcesses(): Promise<ProcessMark[]> {
  const names = await readdir("/proc");
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marks = await Promise.all(pids.map(readMark));
  return marks.filter((mark) => mark !== null);
}

/** Null: it ended meanwhile. See proc(5) for the fields, which are counted from behind the name. */
async function readMark(pid: number): Promise<ProcessMark | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    parent: Number(fields[1]),
    isZombie: fields[0] === "Z",
    startedAt: fields[19] ?? "",
  };
}
