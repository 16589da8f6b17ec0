import type { StoreOptions } from "../../core/storage/database/index.js";
import type { QueueProcessOptions } from "./queue.js";

// A worker of its own on a queue of the tests. It prints what happens to its jobs, a line each, and takes the lines
// `freeze` (SIGSTOP) and `stop MS` from its input.

const options: QueueProcessOptions = JSON.parse(process.argv[2] ?? "");
const { place, node, pollMs, leaseMs, clockMs, mode, ...work } = options;

// A clock that is off, before anything reads it.
const TrueDate = Date;
const now = () => TrueDate.now() + clockMs;
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args: unknown[]) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args),
  get: (target, key): unknown =>
    key === "now" ? now : Reflect.get(target, key),
});

const { createInterface } = await import("node:readline");
const { openStore } = await import("../../core/storage/database/index.js");
const { silentLog } = await import("./recording-log.js");
const { createQueue } = await import("../../core/queue/index.js");

const say = (...words: (string | number)[]) => console.log(words.join(" "));
const database: StoreOptions["database"] = place.location;
const store = await openStore({ database, migrate: true, log: silentLog });
const { serverUrl } = place;
const queue = createQueue(
  { ...store, log: silentLog },
  { node, pollMs, serverUrl, ...(leaseMs !== undefined && { leaseMs }) },
);

queue.work(
  "test",
  work,
  async ({ rowId, attempt, signal }) => {
    say("start", rowId, attempt);
    if (mode === "waits")
      await new Promise<void>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          say("abort", rowId);
          reject(new Error("aborted"));
        });
      });
    say("end", rowId);
  },
  async (rowId, attempts) => say("poison", rowId, attempts),
);

const input = createInterface(process.stdin).on("line", (line) => {
  const [command, argument = ""] = line.split(" ");
  if (command === "freeze") void freeze();
  if (command === "stop") void stop(Number(argument));
});

/** Between two units of work: on SQLite, a process that is stopped within one keeps the file locked. */
async function freeze(): Promise<void> {
  await store.unitOfWork.run(() => Promise.resolve());
  process.kill(process.pid, "SIGSTOP");
}

async function stop(graceMs: number): Promise<void> {
  await queue.stop(graceMs);
  say("stopped");
  await store.close();
  input.close();
  process.stdin.destroy();
}

await queue.start();
say("ready");
