// Builds the studio's pages into dist/studio, with each file beside itself compressed. Called by setup.mjs.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const outDir = join(root, "dist", "studio");

await build({
  root: join(root, "plugins", "studio", "app"),
  configFile: false,
  logLevel: "warn",
  // Relative to the page's <base>, so that the same files serve every base path.
  base: "./",
  build: {
    outDir,
    emptyOutDir: true,
    assetsDir: "assets",
    // Pictures and fonts stay files: the policy of the pages allows nothing inline but data: pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: false,
  },
});

/** Fonts are compressed already. */
const compressible = /\.(?:m?js|css|svg|html)$/;
for (const name of readdirSync(outDir, { recursive: true, encoding: "utf8" })) {
  if (!compressible.test(name)) continue;
  const file = join(outDir, name);
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
