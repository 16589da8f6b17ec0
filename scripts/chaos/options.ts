import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    database: { type: "string", default: "sqlite" },
    seed: { type: "string" },
    workers: { type: "string", default: "2" },
    pace: { type: "string", default: "1500" },
    keep: { type: "boolean", default: false },
  },
});

/** What the command line asks for. @throws Error for a database that there is not. */
export const options = {
  kills: Number(values.kills),
  database: databaseOf(values.database),
  /** Without one, another each time. */
  seed: Number(values.seed ?? Date.now() % 1_000_000),
  workers: Number(values.workers),
  /** Milliseconds between two strikes, in the mean. */
  pace: Number(values.pace),
  /** Whether the folder with database and logs stays. */
  keep: values.keep,
};

function databaseOf(name: string): "sqlite" | "mariadb" {
  if (name === "sqlite" || name === "mariadb") return name;
  throw new Error(`--database is sqlite or mariadb, not "${name}".`);
}
