import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { mariadbDatabase, sqliteDatabase } from "./databases.js";
import { report } from "./report.js";
import { runChaos } from "./run-chaos.js";

// Sends batches and single requests to an API and workers in processes of their own, while it kills, stalls and restarts
// them and the database; then checks that nothing was lost and that numbers have no gaps. The same seed injects the same
// faults.
//
// Ctrl-C ends the faults; accepted batches are still finished and checked.
//
//   npm run chaos -- [--kills 200] [--database sqlite|mariadb] [--seed N] [--workers 2] [--pace 1500] [--attacks]
//     [--keep]

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    database: { type: "string", default: "sqlite" },
    seed: { type: "string" },
    workers: { type: "string", default: "2" },
    pace: { type: "string", default: "1500" },
    attacks: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});

const options = {
  kills: Number(values.kills),
  database: parseDatabase(values.database),
  /** Random by default. */
  seed: Number(values.seed ?? Date.now() % 1_000_000),
  workers: Number(values.workers),
  /** The mean time between two faults, in milliseconds. */
  pace: Number(values.pace),
  /** Whether another organization burdens the service meanwhile. */
  attacks: values.attacks,
  /** Whether to keep the folder with database and logs. */
  keep: values.keep,
};

const commandLine = fileURLToPath(
  new URL("../../dist/core/cli/main.js", import.meta.url),
);
const { database: kind, seed, kills, workers, pace, attacks, keep } = options;
const name = `--database ${kind} --seed ${seed} --kills ${kills}${attacks ? " --attacks" : ""}`;

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

const enough = new AbortController();
process.once("SIGINT", () => {
  say("no more faults after the next one");
  enough.abort();
});

const folder = await mkdtemp(join(tmpdir(), "platen-chaos-"));
say(`${name}, in ${folder}`);
const database = await (kind === "sqlite"
  ? sqliteDatabase(folder)
  : mariadbDatabase(folder));
try {
  const result = await runChaos({
    folder,
    database,
    command: [commandLine],
    seed,
    kills,
    workers,
    intervalMs: pace,
    itemsOfBatch: [5, 40],
    leaseMs: 2000,
    timeoutMs: 300_000,
    withAttacks: attacks,
    say,
    enough: enough.signal,
  });
  process.stdout.write(`${report(name, result)}\n`);
  process.exitCode = result.losses.length > 0 ? 1 : 0;
} finally {
  await database.close();
  if (!keep) await rm(folder, { recursive: true, force: true });
}

function parseDatabase(value: string): "sqlite" | "mariadb" {
  if (value === "sqlite" || value === "mariadb") return value;
  throw new Error(`--database is sqlite or mariadb, not "${value}".`);
}
