// `npm run dev [-- ARGUMENTS of platen start]`: the service with what is in the folder now. After each change it is built
// and started again, and the studio's pages that are open load themselves again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { context } from "esbuild";
import { bundleOptions, copyAssets } from "./build.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** Packages stay outside, which takes a quarter of the time. */
const service = await context({ ...bundleOptions, packages: "external" });
let child = null;

async function buildService() {
  await Promise.all([service.rebuild(), copyAssets()]);
}

async function buildStudio() {
  const script = join(root, "scripts", "build-studio.mjs");
  const args = [script, "--development"];
  const [code] = await once(
    spawn(process.execPath, args, { stdio: "inherit" }),
    "exit",
  );
  if (code !== 0) throw new Error("the studio could not be built");
}

async function startService() {
  if (child?.exitCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  const program = join(root, "dist", "core", "cli", "main.js");
  const args = ["--enable-source-maps", program, "start"];
  child = spawn(process.execPath, [...args, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
}

const changed = new Set();
let timer = null;
let working = Promise.resolve();

/** Changes that come together, as of an editor that saves all or of `git checkout`, are one build. */
function noteChange(folder, name) {
  if (name === null) return;
  changed.add(folder === "studio" ? "studio" : "service");
  clearTimeout(timer);
  timer = setTimeout(() => {
    working = working.then(buildChanged);
  }, 50);
}

async function buildChanged() {
  const parts = [...changed];
  changed.clear();
  if (parts.length === 0) return;
  const started = performance.now();
  try {
    for (const part of parts)
      await (part === "studio" ? buildStudio() : buildService());
    await startService();
    const milliseconds = Math.round(performance.now() - started);
    process.stderr.write(
      `platen: ${parts.join(" and ")} built in ${milliseconds} ms\n`,
    );
  } catch (error) {
    process.stderr.write(`platen: ${error.message}; what ran before goes on\n`);
  }
}

// The pages differ from those that \`npm start\` serves, which builds its own again.
rmSync(join(root, "dist", "studio.stamp"), { force: true });
const folders = [
  "core",
  "config",
  "plugins",
  "migrations",
  "sdk/src",
  "studio",
];
for (const folder of folders)
  watch(join(root, folder), { recursive: true }, (_event, name) =>
    noteChange(folder, name),
  );
await buildStudio();
await startService();
for (const signal of ["SIGTERM", "SIGINT"])
  process.on(signal, () => {
    if (child?.exitCode !== null) process.exit(0);
    child.once("exit", () => process.exit(0));
    child.kill(signal);
  });
