import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect } from "chai";
import { getPackageInfo } from "../../core/lib/package-info.js";
import { listWords } from "../support/rows.js";
import { suiteFolder } from "../support/store-folder.js";

// What `npm start`, `npm test` and the other commands do first, in a small clone whose npm and builds are scripts of
// these tests: each appends a line to `log.txt`.

const root = getPackageInfo().folder;
const folder = suiteFolder();
const clone = join(folder, "a clone");
const tools = join(folder, "tools");

const buildScript = `
import { appendFileSync, mkdirSync } from "node:fs";
mkdirSync("dist", { recursive: true });
appendFileSync("log.txt", "NAME\\n");
`;

/** An npm that works: it makes node_modules, or the Node that was asked for. */
const npmScript = `#!${process.execPath}
const { appendFileSync, mkdirSync, symlinkSync } = require("node:fs");
const [command, wanted, , prefix] = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(clone, "log.txt"))}, "npm " + command + "\\n");
if (prefix && wanted.startsWith("node-")) {
  const bin = prefix + "/node_modules/" + wanted.split("@")[0] + "/bin";
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, bin + "/node");
} else mkdirSync(${JSON.stringify(join(clone, "node_modules"))}, { recursive: true });
`;

function useNpm(script: string): void {
  writeFileSync(join(tools, "npm"), script);
  chmodSync(join(tools, "npm"), 0o755);
}

function logged(): string[] {
  return readFileSync(join(clone, "log.txt"), "utf8").trim().split("\n");
}

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

const env = { ...process.env, PATH: [tools, process.env.PATH].join(delimiter) };

/** @param version that this Node pretends to be. */
async function runScript(
  args: string[],
  version?: string,
  ...nodeOptions: string[]
): Promise<Result> {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  const options = version
    ? ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`]
    : [];
  const script = join(clone, "scripts/run.mjs");
  const command = [...nodeOptions, ...options, script, ...args];
  return promisify(execFile)(process.execPath, command, {
    cwd: clone,
    env,
  }).then(
    (output) => ({ code: 0, ...output }),
    (error: Result) => error,
  );
}

/** @returns what a command writes first; "" when it ends without a word. */
async function firstOutput(child: { stdout: Readable }): Promise<string> {
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
    return String(chunk);
  return "";
}

beforeEach(() => {
  for (const name of ["plugins", "studio"])
    mkdirSync(join(clone, name), { recursive: true });
  mkdirSync(tools, { recursive: true });
  cpSync(join(root, "scripts/run.mjs"), join(clone, "scripts/run.mjs"));
  cpSync(join(root, "scripts/setup.mjs"), join(clone, "scripts/setup.mjs"));
  for (const name of ["build", "build-studio", "build-docs", "message-codes"])
    writeFileSync(
      join(clone, `scripts/${name}.mjs`),
      buildScript.replace("NAME", name),
    );
  for (const name of listWords(`
    core/definition core/lib core/plugin-api config migrations docs sdk/src
  `))
    mkdirSync(join(clone, name), { recursive: true });
  for (const name of ["CHANGELOG.md", "CONTRIBUTING.md"])
    writeFileSync(join(clone, name), "");
  cpSync(join(root, "package.json"), join(clone, "package.json"));
  writeFileSync(join(clone, "package-lock.json"), "{}");
  writeFileSync(join(clone, "tsconfig.json"), "{}");
  useNpm(npmScript);
});

afterEach(() => {
  rmSync(clone, { recursive: true });
});

describe("the setup", () => {
  it("installs and builds once and says what it does", async () => {
    const first = await runScript(["echo done"]);
    expect(first).to.include({ code: 0, stdout: "done\n" });
    expect(first.stderr).to.match(/install packages: done in [\d.]+ s/);
    expect(first.stderr).to.match(/build the service: done in [\d.]+ s/);
    expect(logged()).to.have.members([
      "npm ci",
      "build",
      "build-studio",
      "build-docs",
    ]);

    const second = await runScript(["echo done"]);
    expect(second).to.include({ code: 0, stdout: "done\n", stderr: "" });
    expect(logged()).to.have.length(4);
  });

  it("installs changes of the lock file without starting over", async () => {
    await runScript([]);
    writeFileSync(join(clone, "package-lock.json"), '{"changed":true}');
    await runScript([]);
    expect(logged()).to.include.members(["npm ci", "npm install"]);
  });

  it("installs the packages from scratch after a failed install", async () => {
    useNpm(`#!/bin/sh\nmkdir -p node_modules/half; exit 1\n`);
    const failed = await runScript(["echo done"]);
    expect(failed).to.include({ code: 1, stdout: "" });
    expect(failed.stderr).to.include("npm registry can be reached");

    useNpm(npmScript);
    const next = await runScript(["echo done"]);
    expect(next).to.include({ code: 0, stdout: "done\n" });
    expect(logged()).to.include("npm ci");
  });

  it("runs once when two commands start at the same time", async () => {
    const both = await Promise.all([
      runScript(["echo done"]),
      runScript(["echo done"]),
    ]);
    expect(both.map(({ stdout }) => stdout)).to.eql(["done\n", "done\n"]);
    expect(logged()).to.have.members([
      "npm ci",
      "build",
      "build-studio",
      "build-docs",
    ]);
  });

  it("continues after an interrupted setup", async () => {
    const killed = spawn(process.execPath, ["-e", ""]);
    await once(killed, "exit");
    mkdirSync(join(clone, ".cache"));
    writeFileSync(join(clone, ".cache/setup.lock"), String(killed.pid));
    expect(await runScript(["echo done"])).to.include({ stdout: "done\n" });
  });

  it("names the folder that it cannot write to", async () => {
    writeFileSync(join(clone, ".cache"), "a file where the folder should be");
    const { code, stderr } = await runScript([]);
    expect(code).to.equal(1);
    expect(stderr).to.include(`make ${clone} writable`);
  });

  it("writes nothing when everything is already there", async () => {
    await runScript([]);
    rmSync(join(clone, ".cache"), { recursive: true });
    writeFileSync(join(clone, ".cache"), "a file where the folder should be");
    expect(await runScript(["echo done"])).to.include({ stdout: "done\n" });
  });
});

describe("a command", () => {
  it("receives its arguments unchanged and exits with its own exit code", async () => {
    const args = ["printf '%s|'", "two words", "$HOME", '"'];
    const { stdout } = await runScript(args);
    expect(stdout).to.equal('two words|$HOME|"|');
    expect(await runScript(["exit 7"])).to.include({ code: 7 });
  });

  it("runs in the same process when it is a built program, so that signals reach it", async () => {
    mkdirSync(join(clone, "dist"), { recursive: true });
    writeFileSync(
      join(clone, "dist/program.js"),
      'process.on("SIGTERM", () => process.exit(5)); console.log(process.pid); setInterval(() => {}, 1000);',
    );
    const script = join(clone, "scripts/run.mjs");
    const child = spawn(process.execPath, [script, "dist/program.js"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(Number(await firstOutput(child))).to.equal(child.pid);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).to.eql([5, null]);
  });
});

describe("a command on an unsupported Node", () => {
  for (const version of ["18.20.8", "20.20.2", "21.7.3", "22.13.1", "23.9.0"])
    it(`fetches a supported Node once and runs with it on its PATH: ${version}`, async () => {
      const first = await runScript(['echo "$PATH"'], version);
      expect(first.stderr).to.match(
        new RegExp(`Node ${version} is not supported. Fetching Node 2\\d`),
      );
      expect(first.stdout).to.include(join(clone, ".cache/node-2"));
      await runScript([], version);
      expect(logged().filter((line) => line === "npm install")).to.have.length(
        1,
      );
    });

  it("gives its limits of memory to the fetched Node", async () => {
    mkdirSync(join(clone, "dist"), { recursive: true });
    writeFileSync(
      join(clone, "dist/program.js"),
      "console.log(process.execArgv.join());",
    );
    const limit = "--max-semi-space-size=16";
    const { stdout } = await runScript(["dist/program.js"], "20.20.2", limit);
    expect(stdout).to.equal(`${limit}\n`);
  });

  it("reports an unreachable registry, and the next try succeeds", async () => {
    useNpm("#!/bin/sh\necho no network >&2; exit 1\n");
    const failed = await runScript(["echo done"], "20.20.2");
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.include("Check that the npm registry can be");
    useNpm(npmScript);
    const next = await runScript(["echo done"], "20.20.2");
    expect(next).to.include({ code: 0, stdout: "done\n" });
  });

  it("does not fetch another Node from the fetched one", async () => {
    const pretend = `--import=data:text/javascript,${encodeURIComponent('Object.defineProperty(process.versions, "node", { value: "20.20.2" })')}`;
    const script = join(clone, "scripts/run.mjs");
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [script, "echo done"],
      { cwd: clone, env: { ...env, NODE_OPTIONS: pretend } },
    ).catch((error: Result) => error);
    expect(stderr).to.include("The fetched Node says that it is 20.20.2.");
  });

  it("says what to install on a platform without a package", async () => {
    const path = join(clone, "package.json");
    writeFileSync(path, JSON.stringify({ nodeForSetup: {} }));
    const { code, stderr } = await runScript(["echo done"], "20.20.2");
    expect(code).to.equal(1);
    expect(stderr).to.include("Install Node 24");
    expect(stderr.trim().split("\n")).to.have.length(1);
  });

  it("receives signals", async () => {
    mkdirSync(join(clone, "dist"), { recursive: true });
    writeFileSync(
      join(clone, "dist/program.js"),
      'process.on("SIGTERM", () => process.exit(5)); console.log("ready"); setInterval(() => {}, 1000);',
    );
    const pretend =
      'if (!process.env.IS_FETCHED) { process.env.IS_FETCHED = "1"; Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } }); }';
    const child = spawn(
      process.execPath,
      [
        "--import",
        `data:text/javascript,${encodeURIComponent(pretend)}`,
        join(clone, "scripts/run.mjs"),
        "dist/program.js",
      ],
      { env, stdio: ["ignore", "pipe", "pipe"] },
    );
    const stderr = text(child.stderr);
    expect(await firstOutput(child)).to.equal("ready\n");
    child.kill("SIGTERM");
    expect(await once(child, "exit"), await stderr).to.eql([5, null]);
  });
});
