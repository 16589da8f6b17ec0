// Builds the service into dist: the programs and the two modules for plugin authors, bundled with what package.json lists
// under devDependencies; packages under dependencies stay outside and are loaded from node_modules. So an installation
// needs only those: packages that hold native code or files that they read, those that others install beside us, and
// undici, which cannot connect when it is bundled.
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync, globSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicenses } from "./supply-chain.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const { dependencies } = await readJson("package.json");
/** TypeORM loads the driver of the database in use: those that are no dependencies of ours are never asked for. */
const { peerDependencies: drivers } = await readJson(
  "node_modules/typeorm/package.json",
);

async function readJson(path) {
  return JSON.parse(await readFile(join(root, path), "utf8"));
}

/** What is started or imported by name: programs, the modules for plugin authors, threads. */
const entryPoints = [
  "core/cli/main.ts",
  "core/plugin-api/index.ts",
  "plugins/contract-suite/index.ts",
  "core/compute/compute-worker.ts",
  "core/integrations/host/plugin-main.ts",
  "core/integrations/host/plugin-watchdog.ts",
  "core/rendering/images/rasterize-worker.ts",
  "plugins/file/reader-worker.ts",
  "core/rendering/pdf/merge-worker.ts",
  "core/rendering/print/join-worker.ts",
  "core/rendering/pdf/edit-pdf.ts",
  "core/rendering/fonts/subset-worker.ts",
];

/**
 * Code moves to other files of dist when it is bundled, but the files that it reads beside itself do not: so the place
 * that a module asks for is where its own compiled file would be.
 */
const keepModulePaths = {
  name: "keep-module-paths",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const name = relative(root, path);
      if (!/^(core|plugins|config|migrations)\//.test(name)) return undefined;
      const source = await readFile(path, "utf8");
      if (!source.includes("import.meta")) return undefined;
      const file = JSON.stringify(name.replace(/\.ts$/, ".js"));
      const folder = JSON.stringify(dirname(name));
      const distUrl = `import.meta.url.slice(0, import.meta.url.lastIndexOf("/dist/") + 6)`;
      const distFolder = `(import.meta.dirname + "/").slice(0, (import.meta.dirname + "/").lastIndexOf("/dist/") + 6)`;
      const contents = source
        // A package that is bundled is required by a name that the bundler sees.
        .replace(
          /^const require = createRequire\(import\.meta\.url\); \/\/ bundled$/m,
          "",
        )
        .replaceAll("import.meta.url", `(${distUrl} + ${file})`)
        .replaceAll("import.meta.dirname", `(${distFolder} + ${folder})`);
      return { contents, loader: "ts" };
    });
  },
};

export const bundleOptions = {
  absWorkingDir: root,
  entryPoints,
  outbase: root,
  outdir: dist,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.14",
  mainFields: ["module", "main"],
  external: [
    ...Object.keys(dependencies),
    ...Object.keys(drivers),
    // Required by name for Nodes without streams of the web, which we do not run on.
    "web-streams-polyfill",
    // What ssh2 uses if it was compiled, and does not need.
    "cpu-features",
    "*.node",
  ],
  // Names of classes are kept in the database and in messages.
  keepNames: true,
  // V8 keeps the text of every module that it loaded.
  minifyWhitespace: true,
  // An uncaught error prints its line.
  lineLimit: 200,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: "warning",
  plugins: [keepModulePaths],
  // What CommonJS packages, such as ssh2, expect in their modules.
  banner: {
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url); const __dirname = import.meta.dirname;',
  },
};

async function bundle() {
  const { metafile } = await build(bundleOptions);
  for (const file of Object.keys(metafile.outputs))
    if (file.endsWith(".js")) await finishModule(join(root, file));
  await writeLicenses(
    Object.keys(metafile.inputs),
    join(dist, "THIRD-PARTY-LICENSES.txt"),
  );
}

/**
 * The bundler's helper names each function whenever it is created, where only the names of classes are needed. A single
 * character beyond ASCII makes V8 keep the whole text of a module with two bytes for each; the bundler leaves them in
 * regular expressions and comments, where an escape means the same, and in raw templates, where it does not.
 */
async function finishModule(file) {
  const text = await readFile(file, "utf8");
  const [raw] = /\bString\.raw`[^`]*[^\0-\x7f`][^`]*`/.exec(text) ?? [];
  if (raw) throw new Error(`A raw template is not ASCII: ${raw}`);
  const finished = text
    .replace(
      /\bvar __name=\(target,value\)=>[^;]+;/,
      "var __name=(target)=>target;",
    )
    .replace(
      /\bstatic\{__name\(this,("[^"]+")\)/g,
      'static{Object.defineProperty(this,"name",{value:$1,configurable:true})',
    )
    .replace(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  if (finished !== text) await writeFile(file, finished);
}

/** Example templates, pages and the like lie in dist as they lie beside the sources. */
export async function copyAssets() {
  const files = globSync("{core,plugins,config}/**", {
    cwd: root,
    withFileTypes: true,
  });
  for (const entry of files) {
    if (!entry.isFile() || extname(entry.name) === ".ts") continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(dist, relative(root, path));
    await mkdir(dirname(target), { recursive: true });
    await cp(path, target);
  }
}

/** The files of Swagger UI that the page at /docs/api loads. */
async function copyApiDocs() {
  for (const name of [
    "swagger-ui-bundle.js",
    "swagger-ui-bundle.js.LICENSE.txt",
    "swagger-ui.css",
    "LICENSE",
    "NOTICE",
  ])
    await cp(
      join(root, "node_modules", "swagger-ui-dist", name),
      join(dist, "api-docs", name),
    );
}

/** The font of the pages behind links, which is the studio's. */
async function copyRunFont() {
  const from = join(root, "node_modules", "@fontsource-variable", "inter");
  const files = globSync("{LICENSE,wght.css,files/*-wght-normal.woff2}", {
    cwd: from,
  });
  for (const name of files)
    await cp(join(from, name), join(dist, "run-font", name));
}

/** The declarations that `platen/contract` and `platen/contract-suite` have for plugin authors. */
function emitTypes() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(
    process.execPath,
    [tsc, "-p", "tsconfig.build.json"],
    { cwd: root, stdio: ["ignore", 2, 2] },
  );
  if (status !== 0) process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of existsSync(dist) ? await readdir(dist) : [])
    // Built by steps of their own.
    if (!name.startsWith("studio") && !/^docs(?:\.|$)/.test(name))
      await rm(join(dist, name), { recursive: true });
  await Promise.all([bundle(), copyAssets(), copyApiDocs(), copyRunFont()]);
  emitTypes();
}
