import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Conformance } from "../../core/plugin-api/index.js";
import { runJava } from "./run-java.js";

const folder = dirname(fileURLToPath(import.meta.url));

export interface Check {
  path: string;
  conformance: Conformance;
}

/** Validates files with veraPDF, all in one process. @returns for each check what is wrong, or null */
export async function validateAll(
  checks: readonly Check[],
): Promise<(string | null)[]> {
  const lines = await runJava({
    source: join(folder, "Validate.java"),
    project: join(folder, "pom.xml"),
    input: checks.map(
      ({ path, conformance }) => `${toFlavour(conformance)}\t${path}`,
    ),
  });
  return lines.map((line) => (line === "ok" ? null : line));
}

/** What the validator calls a standard: `3a`, `ua1`. */
function toFlavour(conformance: Conformance): string {
  return conformance.replace("pdf/a-", "").replace("pdf/ua-", "ua");
}
