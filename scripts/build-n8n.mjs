// Builds the nodes for n8n into connectors/n8n/dist, or into a folder that is given: a module for each credential and node,
// with what n8n reads beside them. Only n8n's own package stays outside.
import { cpSync, globSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "connectors", "n8n");

/** @param alias replaces packages by files, such as n8n's by that of a test. */
export async function buildNodes(dist, alias = {}) {
  rmSync(dist, { recursive: true, force: true });
  await build({
    absWorkingDir: source,
    entryPoints: globSync("{credentials/*.credentials,nodes/*/*.node}.ts", {
      cwd: source,
    }),
    outbase: source,
    outdir: dist,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22.14",
    external: alias["n8n-workflow"] ? [] : ["n8n-workflow"],
    alias,
    logLevel: "warning",
  });
  for (const name of globSync("{icons/*.svg,nodes/*/*.node.json}", {
    cwd: source,
  }))
    cpSync(join(source, name), join(dist, name));
  cpSync(join(root, "LICENSE"), join(dist, "LICENSE"));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildNodes(resolve(process.argv[2] ?? join(source, "dist")));
