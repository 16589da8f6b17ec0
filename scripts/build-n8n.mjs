// Builds the nodes for n8n into connectors/n8n/dist, or into a folder that is given: a module for each credential and node,
// with what n8n reads beside them. Only n8n's own package stays outside.
import { cpSync, globSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "connectors", "n8n");
const dist = resolve(process.argv[2] ?? join(source, "dist"));
const find = (pattern) => globSync(pattern, { cwd: source });

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: source,
  entryPoints: find("{credentials/*.credentials,nodes/*/*.node}.ts"),
  outbase: source,
  outdir: dist,
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node22.14",
  external: ["n8n-workflow"],
  logLevel: "warning",
});
for (const name of find("{icons/*.svg,nodes/*/*.node.json}"))
  cpSync(join(source, name), join(dist, name));
cpSync(join(root, "LICENSE"), join(dist, "LICENSE"));
