import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";

const SCRIPT = fileURLToPath(new URL("joined.ts", import.meta.url));

/** One PDF of many, each size in a process of its own, whose memory is that of the work alone: see joined.ts. */
export const JOINED: Group = {
  names: ["merge-500", "merge-10000"],
  results: async () => {
    const results: BenchResult[] = [];
    for (const name of JOINED.names.filter(isWanted)) {
      const { stdout } = await promisify(execFile)(process.execPath, [
        "--import",
        "tsx",
        SCRIPT,
        "--only",
        name,
      ]);
      const measured: BenchResult[] = JSON.parse(stdout);
      results.push(...measured);
    }
    return results;
  },
};
