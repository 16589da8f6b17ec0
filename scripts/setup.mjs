#!/usr/bin/env node
// All set-up, safe to run again and quick when nothing changed: packages, build. Uses Node alone, since it runs
// before there are packages. `--quiet` says nothing unless there is work to do.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const quiet = process.argv.includes("--quiet");
const sources = ["core", "config", "plugins", "migrations"];
/** The studio's pages, which are built by themselves. */
const studio = join(root, "plugins", "studio", "app");

function fail(message) {
  process.stderr.write(`platen: ${message}\n`);
  process.exit(1);
}

function say(message) {
  if (!quiet) process.stderr.write(`platen: ${message}\n`);
}

/** Runs a command with its output on stderr, so that stdout stays the program's own. */
function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  return result.status === 0;
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 13))
    fail(
      `Node ${process.versions.node} is too old: install Node 22.13 or newer.`,
    );
}

function fingerprint(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

function isStamped(file, stamp) {
  return existsSync(file) && readFileSync(file, "utf8") === stamp;
}

/** A first install takes the lock file as it is; a later one only adds what changed. */
function installPackages() {
  const stamp = fingerprint([
    readFileSync(join(root, "package-lock.json")),
    process.versions.modules,
    process.arch,
  ]);
  const modules = join(root, "node_modules");
  const file = join(modules, ".platen-packages");
  if (isStamped(file, stamp)) return;
  say("installing packages (once)");
  const command = existsSync(modules) ? "install" : "ci";
  if (
    !run("npm", [
      command,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ])
  )
    fail("installing packages failed; the reason stands above.");
  writeFileSync(file, stamp);
}

function* filesBelow(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function stampOf(files) {
  return fingerprint(
    files.map((path) => {
      const { size, mtimeMs } = statSync(path);
      return `${relative(root, path)} ${size} ${mtimeMs}`;
    }),
  );
}

function build() {
  const files = sources
    .flatMap((name) => [...filesBelow(join(root, name))])
    .filter((path) => !path.startsWith(studio));
  const stamp = stampOf([...files, join(root, "tsconfig.json")]);
  const dist = join(root, "dist");
  const file = join(dist, ".platen-build");
  if (isStamped(file, stamp)) return;
  say("building");
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (!name.startsWith("studio"))
      rmSync(join(dist, name), { recursive: true });
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  if (!run(process.execPath, [tsc, "-p", "tsconfig.build.json"]))
    fail("the build failed; the reason stands above.");
  copyAssets(files, dist);
  writeFileSync(file, stamp);
}

function buildStudio() {
  const script = join(root, "scripts", "build-studio.mjs");
  const lock = join(root, "package-lock.json");
  const stamp = stampOf([...filesBelow(studio), script, lock]);
  const file = join(root, "dist", "studio.stamp");
  if (isStamped(file, stamp)) return;
  say("building the studio");
  if (!run(process.execPath, [script]))
    fail("the studio's build failed; the reason stands above.");
  writeFileSync(file, stamp);
}

/** The files of Swagger UI that the page at /docs loads: the package itself is not needed to run the service. */
function copyApiDocs() {
  const stamp = stampOf([join(root, "package-lock.json")]);
  const library = join(root, "node_modules", "swagger-ui-dist");
  const target = join(root, "dist", "api-docs");
  const file = join(target, ".stamp");
  if (isStamped(file, stamp)) return;
  mkdirSync(target, { recursive: true });
  for (const name of [
    "swagger-ui-bundle.js",
    "swagger-ui-bundle.js.LICENSE.txt",
    "swagger-ui.css",
    "LICENSE",
    "NOTICE",
  ])
    cpSync(join(library, name), join(target, name));
  writeFileSync(file, stamp);
}

/** What is no TypeScript (example templates, pictures) goes beside the compiled code. */
function copyAssets(files, dist) {
  for (const path of files.filter((name) => extname(name) !== ".ts")) {
    const target = join(dist, relative(root, path));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(path, target);
  }
}

checkNode();
installPackages();
build();
copyApiDocs();
buildStudio();
