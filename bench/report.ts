import { availableParallelism } from "node:os";
import type { BenchResult } from "./scenario.js";

const COLUMNS = [
  ["docs/s", "docsPerSecond"],
  ["p50 ms", "p50Ms"],
  ["p95 ms", "p95Ms"],
  ["CPU ms/doc", "cpuMsPerDoc"],
  ["peak PSS MB", "peakPssMb"],
  ["PSS MB", "pssMb"],
  ["service", "servicePssMb"],
  ["browser", "browserPssMb"],
  ["of raw-cdp", "ofRawCdp"],
  ["of the merge", "ofMerge"],
  ["× peer", "ofPeer"],
  ["accept ms", "acceptMs"],
  ["first document ms", "firstDocumentMs"],
  ["pages", "pages"],
  ["seconds", "seconds"],
  ["× limit", "ofLimit"],
  ["requests", "requests"],
  ["least", "leastRequests"],
  ["median PSS MB", "medianPssMb"],
  ["open files", "handles"],
  ["delay ms", "delayMs"],
  ["files left", "files"],
  ["health worst ms", "healthWorstMs"],
  ["invoice p95 ratio", "invoiceRatio"],
] as const;

/** The results as a table in Markdown, of the columns in which there is anything. */
export function report(results: readonly BenchResult[]): string {
  const columns = COLUMNS.filter(([, field]) =>
    results.some((result) => result[field] !== undefined),
  );
  const head = ["", ...columns.map(([title]) => title)];
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  const rows = results.map((result) => [
    result.name,
    ...columns.map(([, field]) => cell(field, result[field])),
  ]);
  return [
    `${availableParallelism()} cores, Node ${process.versions.node}`,
    "",
    ...[head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

function cell(field: keyof BenchResult, value: number | undefined): string {
  if (value === undefined) return "";
  if (field === "ofRawCdp") return `${Math.round(value * 100)}%`;
  return field === "ofMerge" ? `${(value * 100).toFixed(1)}%` : String(value);
}
