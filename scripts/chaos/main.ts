import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mariadbDatabase, sqliteDatabase } from "./databases.js";
import { options } from "./options.js";
import { report } from "./report.js";
import { runChaos } from "./run-chaos.js";

// Sends batches to an API with workers, all processes of their own, which are killed, stalled and restarted all the
// while, and the database too; then looks whether anything was lost. The same seed strikes in the same way.
//
// Ctrl-C ends the strikes; what was accepted is finished and checked all the same.
//
//   npm run chaos -- [--kills 200] [--database sqlite|mariadb] [--seed N] [--workers 2] [--pace 1500] [--keep]

const commandLine = fileURLToPath(
  new URL("../../dist/core/cli/main.js", import.meta.url),
);
const { database: kind, seed, kills, workers, pace, keep } = options;
const name = `--database ${kind} --seed ${seed} --kills ${kills}`;

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

const enough = new AbortController();
process.once("SIGINT", () => {
  say("no strikes any more, once the next has been made");
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
    paceMs: pace,
    itemsOfBatch: [5, 40],
    leaseMs: 2000,
    patienceMs: 300_000,
    say,
    enough: enough.signal,
  });
  process.stdout.write(`${report(name, result)}\n`);
  process.exitCode = result.losses.length > 0 ? 1 : 0;
} finally {
  await database.close();
  if (!keep) await rm(folder, { recursive: true, force: true });
}
