import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";

const MERGE_SCRIPT = fileURLToPath(new URL("merge.ts", import.meta.url));

/** What needs no browser, in a process of its own, whose memory is that of the work alone: see merge.ts. */
export const MERGE: Group = {
  names: [
    "merge-invoice",
    "merge-newsletter",
    "merge-html",
    "carbone",
    "check-invoice",
    "compile-largest",
    "compile-html",
    "program-cache",
  ],
  results: mergeResults,
};

async function mergeResults(): Promise<BenchResult[]> {
  const names = MERGE.names.filter(isWanted);
  const words = ["--import", "tsx", MERGE_SCRIPT, "--json", "--only"];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...words,
    names.join(","),
  ]);
  const { results }: { results: BenchResult[] } = JSON.parse(stdout);
  return results;
}
