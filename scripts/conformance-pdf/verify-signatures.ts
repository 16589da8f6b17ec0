import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Issued } from "../../test/support/certificates.js";
import { runJava } from "./run-java.js";

const folder = join(dirname(fileURLToPath(import.meta.url)), "signatures");
const cache = join(".cache", "conformance-pdf");

/**
 * Verifies the signatures of files with DSS, all in one process.
 * @returns for each file the level of its signature, such as `PAdES-BASELINE-B`, or what is wrong
 */
export async function verifySignatures(
  paths: readonly string[],
  trusted: readonly Issued[],
): Promise<string[]> {
  const certificates: string[] = [];
  for (const [index, { der }] of trusted.entries()) {
    const path = join(cache, `trusted-${index + 1}.cer`);
    await writeFile(path, der);
    certificates.push(path);
  }
  return runJava({
    source: join(folder, "Verify.java"),
    project: join(folder, "pom.xml"),
    input: paths,
    arguments: certificates,
  });
}
