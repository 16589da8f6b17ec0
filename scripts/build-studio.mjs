// Builds the studio's pages into dist/studio, each file with a compressed copy beside it. Called by setup.mjs, and by
// dev.mjs without the copies.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "esbuild";
import { createMessageCodes } from "./message-codes.mjs";
import { writeLicenses } from "./supply-chain.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const app = join(root, "studio");
const sources = join(app, "src");
const outDir = join(root, "dist", "studio");
const isDevelopment = process.argv.includes("--development");

/** Fonts are compressed already. */
const compressible = /\.(?:m?js|css|svg|html)$/;
// The best quality takes some seconds and saves a tenth of what browsers load first.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

async function write(name, bytes) {
  const file = join(outDir, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
  if (isDevelopment || !compressible.test(name)) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, brotli),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

/** Copies a file as it is. @returns its name below `outDir`. */
async function copyAsset(path) {
  const bytes = await readFile(path);
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const extension = extname(path);
  const name = `assets/${basename(path, extension)}-${hash}${extension}`;
  await write(name, bytes);
  return name;
}

/**
 * Makes `import url from "./file.svg?url"` the URL of that file. Files are never inlined: the policy of the pages allows
 * nothing inline but data: images.
 */
const assetUrls = {
  name: "asset-urls",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /\?url$/ }, async ({ path, ...importing }) => {
      const file = await resolve(path.slice(0, -"?url".length), importing);
      return { path: file.path, namespace: "url", errors: file.errors };
    });
    onLoad({ filter: /./, namespace: "url" }, async ({ path }) => {
      // All chunks are in the folder of the assets.
      const url = JSON.stringify(`./${basename(await copyAsset(path))}`);
      return {
        contents: `export default new URL(${url}, import.meta.url).href;`,
      };
    });
  },
};

/**
 * Keeps chunks few. esbuild makes one for each set of entries that share a module, and each `import()` is an entry, so
 * that there would be dozens of small ones. But a page finds the app loaded, and what is inside of the editor finds the
 * editor loaded: here they import it, and all that they share with it is in the same set.
 */
const fewChunks = {
  name: "few-chunks",
  setup({ onResolve, onLoad, resolve }) {
    const shell = join(sources, "app.tsx");
    const editor = join(sources, "editor", "editor-page.tsx");
    const lazy = new Set();
    onResolve({ filter: /^\./ }, async ({ path, kind, ...importing }) => {
      if (kind !== "dynamic-import") return;
      const options = { ...importing, kind: "import-statement" };
      lazy.add((await resolve(path, options)).path);
    });
    onLoad({ filter: /studio.src.*\.tsx?$/ }, async ({ path }) => {
      const text = messageCodes.encode(await readFile(path, "utf8"));
      const loader = extname(path).slice(1);
      if (!lazy.has(path)) return { contents: text, loader };
      const isInEditor = path !== editor && path.startsWith(dirname(editor));
      const loaded = JSON.stringify(isInEditor ? editor : shell);
      return { contents: `${text}\nimport ${loaded};`, loader };
    });
  },
};

const messageCodes = await createMessageCodes(sources);
await rm(outDir, { recursive: true, force: true });
const icon = await copyAsset(join(sources, "icons", "platen.svg"));
const { metafile, outputFiles } = await build({
  absWorkingDir: app,
  entryPoints: ["src/main.tsx"],
  // The page loads itself again when the service has another one.
  inject: isDevelopment ? [join(root, "scripts", "dev-reload.js")] : [],
  outdir: outDir,
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  assetNames: "assets/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  // The browsers decide about prefixes in styles, too; PDF.js and light-dark() work in no older ones.
  target: ["es2022", "chrome126", "firefox126", "safari18"],
  minify: !isDevelopment,
  sourcemap: isDevelopment && "inline",
  loader: { ".woff2": "file" },
  plugins: [assetUrls, messageCodes.plugin, fewChunks],
  metafile: true,
  write: false,
  logLevel: "warning",
});

const getName = (path) => relative(outDir, join(app, path));
const [[script, main]] = Object.entries(metafile.outputs).filter(
  ([, { entryPoint }]) => entryPoint === "src/main.tsx",
);
/** Holds the styles of the modules behind `import()`, too: which of two rules wins never depends on what was loaded first. */
const styles = getName(main.cssBundle);
const links = [
  ...main.imports
    .filter(({ kind }) => kind === "import-statement")
    .map(
      ({ path }) => `<link rel="modulepreload" href="./${getName(path)}" />`,
    ),
  `<link rel="stylesheet" href="./${styles}" />`,
];
const page = (await readFile(join(app, "index.html"), "utf8"))
  .replace("./src/main.tsx", `./${getName(script)}`)
  .replace("./src/icons/platen.svg", `./${icon}`)
  .replace("</head>", `  ${links.join("\n    ")}\n  </head>`);

await Promise.all([
  write("index.html", page),
  ...outputFiles
    .map(({ path, contents }) => ({ name: relative(outDir, path), contents }))
    .filter(({ name }) => !name.endsWith(".css") || name === styles)
    .map(({ name, contents }) => write(name, contents)),
]);
await writeLicenses(
  Object.keys(metafile.inputs),
  join(outDir, "THIRD-PARTY-LICENSES.txt"),
);
