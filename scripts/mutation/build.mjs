// Compiles the tests and the instrumented code in Stryker's copy of the repository, the current folder. Packages, the
// built pages and the unpacked browser are those of the repository, whose path is the argument.
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2];
mkdirSync(join(root, ".cache/render"), { recursive: true });
mkdirSync(".cache", { recursive: true });
for (const path of ["node_modules", "dist", ".cache/render"])
  symlinkSync(join(root, path), path);
const { status } = spawnSync("node", ["scripts/build-tests.mjs"], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
