import { availableParallelism } from "node:os";
import { MERGE_NAMES } from "./merge-results.js";
import type { BenchResult } from "./scenario.js";

const COLUMNS = [
  ["docs/s", "docsPerSecond"],
  ["p50 ms", "p50Ms"],
  ["p95 ms", "p95Ms"],
  ["CPU ms/doc", "cpuMsPerDoc"],
  ["peak PSS MB", "peakPssMb"],
] as const;

/** The results as a table in Markdown, each rate beside its share of the limit. */
export function report(results: readonly BenchResult[]): string {
  const limit = results.find(({ name }) => name === "raw-cdp")?.docsPerSecond;
  const rows = results.map((result) => {
    const cells = COLUMNS.map(([, field]) => result[field]);
    return [result.name, ...cells, shareOf(result, limit)];
  });
  const head = ["", ...COLUMNS.map(([title]) => title), "of raw-cdp"];
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [
    `${availableParallelism()} cores, Node ${process.versions.node}`,
    "",
    ...[head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

/** Nothing where nothing is printed: to merge is no part of the limit. */
function shareOf(
  { name, docsPerSecond }: BenchResult,
  limit: number | undefined,
): string {
  if (limit === undefined || MERGE_NAMES.includes(name)) return "";
  return `${Math.round((docsPerSecond / limit) * 100)}%`;
}
