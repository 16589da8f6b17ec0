// Installs the packages and builds the service, the studio and the documentation site, each only when something it depends on has changed.
// Called by run.mjs, on a supported Node. Uses no packages, since it runs before there are any.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const modules = join(root, "node_modules");
const studio = join(root, "studio");
const lock = join(root, ".cache", "setup.lock");

/** A step of the set-up: `stamp()` identifies what it depends on, `file` records the stamp of its last success. */
const packages = {
  title: "install packages",
  file: join(modules, ".platen-packages"),
  stamp: () =>
    fingerprint([
      readFileSync(join(root, "package-lock.json")),
      process.platform,
      process.arch,
    ]),
  run: installPackages,
};
const service = {
  title: "build the service",
  file: join(dist, ".platen-build"),
  stamp: () => filesStamp(serviceFiles()),
  run: () => run(process.execPath, [join(root, "scripts", "build.mjs")]),
};
const studioPages = {
  title: "build the studio",
  file: join(dist, "studio.stamp"),
  stamp: () =>
    filesStamp([
      ...filesBelow(studio),
      // What it imports from the service.
      ...["definition", "lib", "plugin-api"].flatMap((name) => [
        ...filesBelow(join(root, "core", name)),
      ]),
      join(root, "scripts", "build-studio.mjs"),
      join(root, "scripts", "message-codes.mjs"),
      join(root, "package-lock.json"),
    ]),
  run: () => run(process.execPath, [join(root, "scripts", "build-studio.mjs")]),
};
const docsPages = {
  title: "build the documentation",
  file: join(dist, "docs.stamp"),
  stamp: () =>
    filesStamp([
      ...filesBelow(join(root, "docs")),
      ...["CHANGELOG.md", "CONTRIBUTING.md", "scripts/build-docs.mjs"].map(
        (name) => join(root, name),
      ),
      join(root, "package-lock.json"),
    ]),
  run: () => run(process.execPath, [join(root, "scripts", "build-docs.mjs")]),
};

/** Makes everything ready to run. Prints a line for each step that has work to do. Ends the process when a step fails. */
export async function setUp() {
  if ([packages, service, studioPages, docsPages].every(isUpToDate)) return;
  await takeLock();
  try {
    const started = performance.now();
    await perform(packages);
    await Promise.all([service, studioPages, docsPages].map(perform));
    say(`set up in ${seconds(started)}`);
  } finally {
    rmSync(lock, { force: true });
  }
}

async function perform(step) {
  if (isUpToDate(step)) return;
  const started = performance.now();
  const { title } = step;
  say(`${title}…`);
  const progress = setInterval(
    () => say(`${title}… (${seconds(started)})`),
    15_000,
  );
  const stamp = step.stamp();
  const isDone = await step.run();
  clearInterval(progress);
  if (!isDone) {
    rmSync(lock, { force: true });
    fail(`"${title}" failed; the reason is above.`);
  }
  writeFileSync(step.file, stamp);
  say(`${title}: done in ${seconds(started)}`);
}

/** An install that was interrupted is begun again; one that only lacks what changed since is completed. */
async function installPackages() {
  const wasComplete = existsSync(packages.file);
  rmSync(packages.file, { force: true });
  const isInstalled = await run("npm", [
    wasComplete ? "install" : "ci",
    // All packages that need native code bring it with them.
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  if (!isInstalled)
    say(
      "Packages could not be installed. Check that the npm registry can be reached and run the same command again.",
    );
  return isInstalled;
}

/** Waits while another process sets up this folder. */
async function takeLock() {
  let isWaiting = false;
  try {
    mkdirSync(dirname(lock), { recursive: true });
  } catch (error) {
    failToWrite(error);
  }
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") failToWrite(error);
    }
    if (!isRunning(lockOwner())) {
      removeLockOfDead();
      continue;
    }
    if (!isWaiting) say(`waiting for process ${lockOwner()}, which sets up`);
    isWaiting = true;
    await sleep(200);
  }
}

function failToWrite({ code }) {
  fail(
    `Cannot write to ${dirname(lock)} (${code}). Platen sets itself up in its own folder: make ${root} writable, or run "npm start" once as a user who may write there.`,
  );
}

function lockOwner() {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** By a rename, which only one of several waiting processes can do. */
function removeLockOfDead() {
  const removed = `${lock}.${process.pid}`;
  try {
    renameSync(lock, removed);
    rmSync(removed);
  } catch {
    // Another process removed it.
  }
}

/** Runs a command with its output on stderr, so that stdout remains the program's own. @returns whether it succeeded. */
function run(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    child.on("error", (error) => {
      say(`${command} could not be started: ${error.message}`);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}

function isUpToDate({ file, stamp }) {
  return existsSync(file) && readFileSync(file, "utf8") === stamp();
}

function fingerprint(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

function filesStamp(files) {
  return fingerprint(
    files.map((path) => {
      const { size, mtimeMs } = statSync(path);
      return `${relative(root, path)} ${size} ${mtimeMs}`;
    }),
  );
}

function serviceFiles() {
  const folders = ["core", "config", "plugins", "migrations", "sdk/src"];
  return [
    ...folders.flatMap((name) => [...filesBelow(join(root, name))]),
    ...["package-lock.json", "tsconfig.json", "scripts/build.mjs"].map((name) =>
      join(root, name),
    ),
  ];
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

function say(message) {
  process.stderr.write(`platen: ${message}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
