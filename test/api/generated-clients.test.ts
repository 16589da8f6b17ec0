import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { ApiKeys, operator } from "../../core/accounts/index.js";
import * as tokens from "../../core/app/tokens.js";
import { useService } from "../support/service.js";
import { newOrganization } from "../support/store.js";

// Generators make clients from the document of the running service; programs in strict TypeScript use them without a
// cast. The generators need TypeScript 5, so they are a package of their own, installed when it is missing or outdated.

const folder = resolve("test/api/clients");
const packages = join(folder, "node_modules");
const generated = join(folder, "generated");
const tsx = createRequire(import.meta.url).resolve("tsx");

/** Runs Node in the folder. @returns what it wrote, and its exit code. */
async function run(...args: string[]): Promise<{ code: number; out: string }> {
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

async function expectSuccess(running: Promise<{ code: number; out: string }>) {
  const { code, out } = await running;
  expect(code, out).to.equal(0);
  return out;
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

describe("clients generated from the OpenAPI document", () => {
  const service = useService({
    config: {
      outbound: { allowPrivateNetworks: ["127.0.0.0/8"] },
    },
  });
  let keys: string[];

  before(async () => {
    const apiKeys = new ApiKeys(
      service.store,
      service.container.resolve(tokens.CALLER_CACHE),
    );
    const organizationId = await newOrganization(service.store, "enterprise");
    const newKey = async (requestsPerMinute?: number) =>
      (
        await apiKeys.create(
          organizationId,
          {
            scopes: ["all"],
            userId: undefined,
            ...(requestsPerMinute !== undefined && { requestsPerMinute }),
          },
          operator,
        )
      ).key;
    keys = [await newKey(), await newKey(2)];
    await install();
    await rm(generated, { recursive: true, force: true });
    await mkdir(generated);
    const document = await fetch(`${service.url}/openapi.json`);
    await writeFile(join(generated, "openapi.json"), await document.text());
  });

  it("come from a document without a lint problem", async () => {
    expect(await expectSuccess(run("--import", tsx, "lint.ts"))).to.equal("");
  });

  it("are generated without a warning", async () => {
    const types = await expectSuccess(
      run(
        join(packages, "openapi-typescript", "bin", "cli.js"),
        "generated/openapi.json",
        "-o",
        "generated/schema.ts",
      ),
    );
    expect(types).to.not.match(/warn/i);
    const client = await expectSuccess(
      run(
        join(packages, "@hey-api", "openapi-ts", "bin", "run.js"),
        "--input",
        "./generated/openapi.json",
        "--output",
        "./generated/client",
        "--no-log-file",
      ),
    );
    expect(client).to.not.match(/warn/i);
  });

  it("compile in strict mode, with programs that use them without a cast", async () => {
    await expectSuccess(
      run(join(packages, "typescript", "bin", "tsc"), "-p", "."),
    );
  });

  for (const program of ["openapi-typescript", "hey-api"])
    it(`create a template, export, list, read a 429 and handle events: ${program}`, async () => {
      const out = await expectSuccess(
        run("--import", tsx, `${program}.ts`, service.url, ...keys),
      );
      expect(out).to.equal("html; 1 of 1\n");
    });
});
