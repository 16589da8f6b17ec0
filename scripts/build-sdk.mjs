// Builds the TypeScript client into sdk/dist: a module of its own for every runtime, its types, and the command
// `platen-types`.
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const sdk = join(root, "sdk");
const dist = join(sdk, "dist");

rmSync(dist, { recursive: true, force: true });
const options = {
  absWorkingDir: sdk,
  outdir: dist,
  bundle: true,
  format: "esm",
  target: "es2022",
  logLevel: "warning",
};
// A neutral platform has no built-in modules: an import of one fails the build.
await build({
  ...options,
  entryPoints: ["src/index.ts"],
  platform: "neutral",
});
await build({ ...options, entryPoints: ["src/cli.ts"], platform: "node" });
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [tsc, "-p", sdk], {
  stdio: "inherit",
});
if (status !== 0) process.exit(1);
copyFileSync(join(root, "LICENSE"), join(dist, "LICENSE"));
