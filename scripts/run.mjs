// Sets Platen up and runs a command: `node scripts/run.mjs [COMMAND [ARGUMENT…]]`. COMMAND is a built program
// (`dist/….js`), which runs in this process, or a shell command. This file needs no packages and runs on Node 18 and later.
//
// Under an unsupported Node it fetches a supported one into .cache, for this folder alone, and continues with that: the
// command and all its child processes find it first on PATH.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function fail(message) {
  process.stderr.write(`platen: ${message}\n`);
  process.exit(1);
}

/** 22.14, the first whose Node-API the SQLite driver runs on, and later; without 23, which ended before 22 and 24 did. */
function isSupported(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 23 || (major === 22 && minor >= 14);
}

/** The package that holds Node's binary for this platform, from `nodeForSetup` in package.json, or null. */
function nodePackage() {
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { nodeForSetup } = JSON.parse(text);
  const isMusl =
    process.platform === "linux" &&
    !process.report.getReport().header.glibcVersionRuntime;
  if (isMusl) return null;
  return nodeForSetup[`${process.platform}-${process.arch}`] ?? null;
}

/** @returns the folder of the fetched Node's binary. */
function fetchNode() {
  const wanted = nodePackage();
  const problem = `Node ${process.versions.node} is not supported.`;
  if (!wanted)
    fail(
      `${problem} Install Node 24 (https://nodejs.org), or any from 22.14 on except 23, and run this again.`,
    );
  const at = wanted.lastIndexOf("@");
  const [name, version] = [wanted.slice(0, at), wanted.slice(at + 1)];
  const folder = join(root, ".cache", `node-${version}`);
  const binaries = join(folder, "node_modules", name, "bin");
  if (existsSync(folder)) return binaries;

  process.stderr.write(
    `platen: ${problem} Fetching Node ${version} from the npm registry for this folder alone…\n`,
  );
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
  } catch (error) {
    fail(
      `Cannot write to ${root} (${error.code}). Make the folder writable, or install Node 24 and run this again.`,
    );
  }
  // npm checks the package against the integrity hash of the registry.
  const { status, error } = spawnSync(
    "npm",
    [
      "install",
      wanted,
      "--prefix",
      draft,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ],
    { stdio: ["ignore", 2, 2], shell: process.platform === "win32" },
  );
  const binary = join(draft, "node_modules", name, "bin", "node");
  if (status !== 0 || spawnSync(binary, ["--version"]).status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    fail(
      `Node ${version} could not be fetched${error ? ` (${error.message})` : ""}. Check that the npm registry can be reached and run this again, or install Node 24 yourself.`,
    );
  }
  try {
    renameSync(draft, folder);
  } catch {
    // Another process was quicker.
    rmSync(draft, { recursive: true, force: true });
  }
  return binaries;
}

/** Runs a command to its end and ends as it did. Signals reach it as they reach us. */
function runToEnd(command, args, env) {
  const child = spawn(command, args, { stdio: "inherit", env });
  // The terminal sends its own signals to the child as well.
  process.on("SIGINT", () => {
    if (!process.stdin.isTTY) child.kill("SIGINT");
  });
  for (const signal of ["SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("error", (error) =>
    fail(`${command} could not be started: ${error.message}`),
  );
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
  });
}

function withFirstOnPath(...folders) {
  const path = [...folders, process.env.PATH ?? ""].join(delimiter);
  return { ...process.env, PATH: path };
}

/** Begins the arguments under the fetched Node, which never fetches another. */
const fetchedMark = "--fetched-node";
const isFetched = process.argv[2] === fetchedMark;
if (isFetched) process.argv.splice(2, 1);

if (isSupported(process.versions.node)) {
  const { setUp } = await import("./setup.mjs");
  await setUp();
  const [command, ...args] = process.argv.slice(2);
  if (command?.endsWith(".js")) {
    // In this process, which so gets every signal and exits as the program does.
    const file = join(root, command);
    process.argv = [process.argv[0], file, ...args];
    await import(pathToFileURL(file).href);
  } else if (command !== undefined) {
    const tools = join(root, "node_modules", ".bin");
    const env = withFirstOnPath(dirname(process.execPath), tools);
    runToEnd("sh", ["-c", `${command} "$@"`, "sh", ...args], env);
  }
} else if (isFetched) {
  fail(`The fetched Node says that it is ${process.versions.node}.`);
} else {
  const binaries = fetchNode();
  const file = fileURLToPath(import.meta.url);
  const node = join(
    binaries,
    process.platform === "win32" ? "node.exe" : "node",
  );
  const memory = process.execArgv.filter((arg) => arg.startsWith("--max-"));
  const args = [...memory, file, fetchedMark, ...process.argv.slice(2)];
  runToEnd(node, args, withFirstOnPath(binaries));
}
