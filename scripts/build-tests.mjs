// Compiles the tests and what they test into .cache/tests, for the whole suite: there, no process and no thread
// translates TypeScript when it starts. `npm run check` checks the types.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(root, ".cache", "tests");
const folders = [
  "core",
  "config",
  "plugins",
  "migrations",
  "test",
  "scripts/chaos",
  "docs/site",
];

function compile() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", join(root, "tsconfig.tests.json")];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

/** Copies other files beside the compiled code. */
function copyAssets(folder) {
  cpSync(join(root, folder), join(built, folder), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || extname(path) !== ".ts",
  });
}

// Deleted tests must not run any more.
rmSync(built, { recursive: true, force: true });
compile();
for (const folder of folders) copyAssets(folder);
// The tests use the studio's pages that the build made.
symlinkSync(join(root, "dist"), join(built, "dist"));
