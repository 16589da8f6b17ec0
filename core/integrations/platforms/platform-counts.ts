import type { Metrics } from "../../plugin-api/index.js";

/** What this process tells of its work for platforms. */
export interface PlatformCounts {
  /** A record that was to be fetched. */
  record(outcome: "fetched" | "failed"): void;
  /** An attempt at a write-back. */
  writeBack(outcome: "succeeded" | "retried" | "failed"): void;
}

export function platformCounts(metrics: Metrics): PlatformCounts {
  const record = metrics.counter({
    name: "platen_platform_records_total",
    help: "Records of platforms that were to be fetched for documents, by how that ended.",
    labels: ["outcome"],
  });
  const writeBack = metrics.counter({
    name: "platen_platform_write_backs_total",
    help: "Attempts at writing a document's files into its record, by how they ended.",
    labels: ["outcome"],
  });
  return {
    record: (outcome) => record({ outcome }),
    writeBack: (outcome) => writeBack({ outcome }),
  };
}
