import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after } from "mocha";
import type { WorkOptions } from "../../core/queue/index.js";
import { eventually } from "./eventually.js";
import type { QueuePlace } from "./queue.js";
import { partArguments } from "./program-arguments.js";

export interface QueueProcessOptions extends WorkOptions {
  place: QueuePlace;
  node: string;
  pollMs: number;
  /** By how much its clock is off. */
  clockMs: number;
  /** Whether a job ends at once, or waits for `go` and throws when it is aborted. */
  acts: "ends" | "waits";
}

/** A worker in a process of its own, on jobs of the kind `test`. */
export class QueueProcess {
  readonly lines: string[] = [];
  readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, "close");
    if (child.stdout)
      createInterface(child.stdout).on("line", (line) => this.lines.push(line));
  }

  /** Resolves when it works. It is killed at the suite's end. */
  static async start(
    place: QueuePlace,
    options: Partial<QueueProcessOptions> = {},
  ): Promise<QueueProcess> {
    const all: QueueProcessOptions = {
      place,
      node: "child",
      pollMs: 100,
      clockMs: 0,
      acts: "ends",
      concurrency: 4,
      ...options,
    };
    const args = [...partArguments("queue-process-main"), JSON.stringify(all)];
    const child = spawn(process.execPath, args, {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const worker = new QueueProcess(child);
    after(() => child.kill("SIGKILL"));
    await worker.says("ready");
    return worker;
  }

  /** Waits for a line. */
  async says(line: string): Promise<void> {
    await eventually(() => this.lines.includes(line));
  }

  /** Lets the job that waits end. */
  go(rowId: string): void {
    this.child.stdin?.write(`go ${rowId}\n`);
  }

  /** Stops it in its tracks (SIGSTOP), until SIGCONT. */
  freeze(): void {
    this.child.stdin?.write("freeze\n");
  }

  async stop(graceMs: number): Promise<void> {
    this.child.stdin?.write(`stop ${graceMs}\n`);
    await this.says("stopped");
  }

  signal(name: "SIGKILL" | "SIGCONT"): void {
    this.child.kill(name);
  }

  /** Ids of the jobs that it started, once for each start. */
  get started(): string[] {
    return this.lines.flatMap((line) => /^start (\S+)/.exec(line)?.[1] ?? []);
  }
}
