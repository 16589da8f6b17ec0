import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Conformance } from "../../core/plugin-api/index.js";

const folder = dirname(fileURLToPath(import.meta.url));
const cache = join(folder, "../../.cache/conformance-pdf");

export interface Check {
  path: string;
  conformance: Conformance;
}

/** Validates files with veraPDF, all in one process. @returns for each check what is wrong, or null */
export async function validateAll(
  checks: readonly Check[],
): Promise<(string | null)[]> {
  const classPath = await installValidator();
  const child = spawn(
    "java",
    ["-cp", classPath, join(folder, "Validate.java")],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const answered = text(child.stdout);
  const exited = once(child, "exit");
  child.stdin.end(
    checks
      .map(({ path, conformance }) => `${toFlavour(conformance)}\t${path}\n`)
      .join(""),
  );
  const lines = (await answered).trimEnd().split("\n");
  const [code] = await exited;
  if (code !== 0 || lines.length !== checks.length)
    throw new Error("The validator ended before it had checked all files.");
  return lines.map((line) => (line === "ok" ? null : line));
}

/** What the validator calls a standard: `3a`, `ua1`. */
function toFlavour(conformance: Conformance): string {
  return conformance.replace("pdf/a-", "").replace("pdf/ua-", "ua");
}

/** @returns its class path */
async function installValidator(): Promise<string> {
  await mkdir(cache, { recursive: true });
  const output = join(cache, "classpath.txt");
  await promisify(execFile)("mvn", [
    "--quiet",
    "--batch-mode",
    "--file",
    join(folder, "pom.xml"),
    "dependency:build-classpath",
    `-Dmdep.outputFile=${output}`,
  ]).catch((cause: unknown) => {
    throw new Error(
      "veraPDF cannot be installed. It needs Java 11 or later (a JDK) and Maven.",
      { cause },
    );
  });
  return readFile(output, "utf8");
}
