import { availableParallelism } from "node:os";
import { LONG_NAMES } from "./long-results.js";
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
    const share = shareOf(result, limit);
    return [result.name, ...cells, share, result.pages ?? ""];
  });
  const titles = COLUMNS.map(([title]) => title);
  const head = ["", ...titles, "of raw-cdp", "pages"];
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [
    `${availableParallelism()} cores, Node ${process.versions.node}`,
    "",
    ...[head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

/** Nothing where the invoice is not printed: the limit is that of the invoice. */
function shareOf(
  { name, docsPerSecond }: BenchResult,
  limit: number | undefined,
): string {
  const isOther = [...MERGE_NAMES, ...LONG_NAMES].includes(name);
  if (limit === undefined || isOther) return "";
  return `${Math.round((docsPerSecond / limit) * 100)}%`;
}
