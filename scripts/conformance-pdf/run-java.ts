import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const cache = join(root, ".cache/conformance-pdf");

/** A program of one file that reads lines and writes one for each. */
interface JavaProgram {
  source: string;
  /** The Maven project whose dependencies it uses. */
  project: string;
  input: readonly string[];
  arguments?: readonly string[];
}

/** @returns a line for each of the input */
export async function runJava(program: JavaProgram): Promise<string[]> {
  const { source, project, input, arguments: list = [] } = program;
  const classPath = await installDependencies(project);
  const child = spawn("java", ["-cp", classPath, source, ...list], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answered = text(child.stdout);
  const exited = once(child, "exit");
  child.stdin.end(input.map((line) => `${line}\n`).join(""));
  const lines = (await answered).trimEnd().split("\n");
  const [code] = await exited;
  if (code !== 0 || lines.length !== input.length)
    throw new Error(`${basename(source)} ended before it had read all files.`);
  return lines;
}

/** @returns the class path */
async function installDependencies(project: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  const output = join(cache, `${basename(dirname(project))}.classpath.txt`);
  await promisify(execFile)("mvn", [
    "--quiet",
    "--batch-mode",
    "--settings",
    join(root, "scripts/conformance-einvoice/maven-settings.xml"),
    "--file",
    project,
    "dependency:build-classpath",
    `-Dmdep.outputFile=${output}`,
  ]).catch((cause: unknown) => {
    throw new Error(
      "The validators cannot be installed. They need Java 11 or later (a JDK) and Maven.",
      { cause },
    );
  });
  return readFile(output, "utf8");
}
