import { availableParallelism } from "node:os";
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
    const share = limit ? (result.docsPerSecond / limit) * 100 : 0;
    const cells = COLUMNS.map(([, field]) => result[field]);
    return [result.name, ...cells, `${Math.round(share)}%`];
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
