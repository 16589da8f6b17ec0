import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isWanted } from "./options.js";
import type { BenchResult } from "./scenario.js";

/** What needs no browser: see merge-scenarios.ts. */
export const MERGE_NAMES: readonly string[] = [
  "merge-invoice",
  "merge-newsletter",
  "compile-largest",
  "program-cache",
];

const MERGE = fileURLToPath(new URL("merge.ts", import.meta.url));

/** Measured in a process of its own, whose memory is that of the work alone. */
export async function mergeResults(): Promise<BenchResult[]> {
  const names = MERGE_NAMES.filter(isWanted);
  if (names.length === 0) return [];
  const words = ["--import", "tsx", MERGE, "--json", "--only"];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...words,
    names.join(","),
  ]);
  const { results }: { results: BenchResult[] } = JSON.parse(stdout);
  return results;
}
