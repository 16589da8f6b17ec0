import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";

// What generates clients and what compiles them. They need TypeScript 5, so they are a package of their own.

export const folder = resolve("test/api/clients");
export const packages = join(folder, "node_modules");
export const tsx = createRequire(import.meta.url).resolve("tsx");

/** Runs Node in the folder. @returns what it wrote, and its exit code. */
export async function run(
  ...args: string[]
): Promise<{ code: number; out: string }> {
  return runCommand(process.execPath, args);
}

async function runCommand(command: string, args: string[]) {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code: Number(code), out: out + errors };
}

export async function expectSuccess(
  running: Promise<{ code: number; out: string }>,
): Promise<string> {
  const { code, out } = await running;
  expect(code, out).to.equal(0);
  return out;
}

let installing: Promise<void> | undefined;

/** Installs the package when it is missing or outdated. */
export function installGenerators(): Promise<void> {
  installing ??= install();
  return installing;
}

async function install(): Promise<void> {
  const installed = join(packages, ".package-lock.json");
  const stamp = join(packages, ".installed");
  const lock = await readFile(join(folder, "package-lock.json"), "utf8");
  if (existsSync(installed) && existsSync(stamp))
    if ((await readFile(stamp, "utf8")) === lock) return;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await expectSuccess(runCommand("npm", args));
  await writeFile(stamp, lock);
}
