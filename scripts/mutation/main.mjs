// `npm run test:mutation -- [FOLDER…] [--sample 200] [--seed 1] [--all] [--survivors] [--concurrency 1]`: changes the code of
// folders of core/ in small ways, one at a time (a mutant), and runs the tests that cover the change. One of them must fail.
// Prints a table, and writes the mutants that survived to .cache/mutation/FOLDER.txt.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** The folders of core/, each with the tests that cover it; chosen by coverage and time. */
const testsOf = {
  definition: [
    "test/definition",
    "test/house/guide-page.test.ts",
    "test/house/einvoice-page.test.ts",
    "test/compiler/compiler",
    "test/compiler/facts",
    "test/compiler/golden.test.ts",
    "test/compiler/recorded.test.ts",
  ],
  compiler: ["test/compiler"],
  queue: ["test/queue"],
  batches: ["test/batches"],
  documents: [
    "test/documents",
    "test/api/assets/in-documents.test.ts",
    "test/api/documents.test.ts",
    "test/api/email-images.test.ts",
    "test/api/export-einvoice.test.ts",
    "test/api/export-formats.test.ts",
    "test/api/export-inline.test.ts",
    "test/api/fonts.test.ts",
    "test/api/images.test.ts",
    "test/api/partials.test.ts",
    "test/api/templates.test.ts",
    "test/mcp/tools/documents.test.ts",
    "test/rendering/pdf/options.test.ts",
    "test/templates",
  ],
  integrations: ["test/integrations"],
  storage: ["test/storage", "test/api/downloads.test.ts"],
  accounts: ["test/accounts"],
  webhooks: [
    "test/webhooks",
    "test/api/reference.test.ts",
    "test/api/webhooks.test.ts",
  ],
};

/** The servers of tests that a folder's tests use, where there are some. */
const serversOf = { queue: ["MYSQL_URL", "POSTGRES_URL"] };

/** Files that try many thousands of values or print many pages: each takes longer than the others of its folder together. */
const exhaustive = [
  "test/compiler/einvoice/totals.test.ts",
  "test/compiler/security/malicious-data.test.ts",
  "test/compiler/security/malicious-definitions.test.ts",
  "test/definition/validation/many-problems.test.ts",
  "test/documents/sign-field-places.test.ts",
  "test/documents/tall-headers.test.ts",
  "test/templates/blueprints/blueprints.test.ts",
];

const root = process.cwd();
const here = fileURLToPath(new URL("./", import.meta.url));
const work = join(root, ".cache", "mutation");

function fail(message) {
  process.stderr.write(`platen: ${message}\n`);
  process.exit(1);
}

const readText = (path) => readFileSync(path, "utf8");

function toNumber(name, text) {
  if (!/^\d+$/.test(text)) fail(`--${name} must be a number, not "${text}".`);
  return Number(text);
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        sample: { type: "string", default: "200" },
        seed: { type: "string", default: "1" },
        concurrency: { type: "string", default: "1" },
        all: { type: "boolean", default: false },
        survivors: { type: "boolean", default: false },
      },
    });
    const names = Object.keys(testsOf);
    for (const name of positionals)
      if (!names.includes(name))
        fail(`"${name}" is not one of the folders ${names.join(", ")}.`);
    return {
      folders: positionals.length > 0 ? positionals : names,
      sample: values.all ? Infinity : toNumber("sample", values.sample),
      seed: toNumber("seed", values.seed),
      concurrency: toNumber("concurrency", values.concurrency),
      onlySurvivors: values.survivors,
    };
  } catch (error) {
    return fail(error.message);
  }
}

/** Stryker is no part of the service, so it is installed when it is first needed. */
function install() {
  if (existsSync(join(here, "node_modules/@stryker-mutator/core"))) return;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--prefix", here];
  if (spawnSync("npm", args, { stdio: "inherit" }).status !== 0)
    fail("Stryker cannot be installed.");
}

function findTests(folder) {
  for (const path of [...testsOf[folder], ...exhaustive])
    if (!existsSync(path))
      fail(`${here}main.mjs names ${path}, which does not exist.`);
  return testsOf[folder]
    .flatMap((path) =>
      path.endsWith(".ts") ? path : globSync(`${path}/**/*.test.ts`),
    )
    .filter((path) => !exhaustive.includes(path))
    .toSorted();
}

/** @returns the results of all mutants, those that survived, and how many the tests cover. */
async function testMutants(folder, options) {
  const { Stryker } = await import("@stryker-mutator/core");
  const sources = `core/${folder}/**/*.ts`;
  const { sample, seed, concurrency, onlySurvivors } = options;
  const coveredFile = join(work, `${folder}.covered`);
  const survivedFile = join(work, `${folder}.json`);
  if (onlySurvivors && !existsSync(survivedFile))
    fail(`No run has found survivors of ${folder} yet.`);
  const stryker = new Stryker({
    // The tests of the other file need a server.
    mutate: [
      sources,
      ...(process.env.PLATEN_TEST_POSTGRES_URL
        ? []
        : ["!core/queue/server-transport.ts"]),
    ],
    ignorePatterns: [".cache", "data", "dist", "gallery", "**/node_modules"],
    tempDirName: ".cache/mutation/sandbox",
    cleanTempDir: "always",
    tsconfigFile: "none",
    disableTypeChecks: false,
    symlinkNodeModules: false,
    buildCommand: `${process.execPath} ${here}build.mjs ${root}`,
    plugins: [`${here}runner.mjs`, `${here}ignore-prose.mjs`],
    ignorers: ["prose"],
    testRunner: "files",
    coverageAnalysis: "perTest",
    concurrency,
    dryRunTimeoutMinutes: 60,
    // A survivor that is slower than in the dry run must not count as one that hangs.
    timeoutMS: 20_000,
    timeoutFactor: 4,
    reporters: [process.stdout.isTTY ? "progress" : "progress-append-only"],
    warnings: { unknownOptions: false, slow: false },
    platen: {
      files: findTests(folder),
      sources,
      sample,
      seed,
      coveredFile,
      only: onlySurvivors ? JSON.parse(readText(survivedFile)) : null,
    },
  });
  const results = await stryker.runMutationTest();
  const survivors = results.filter(({ status }) => status === "Survived");
  writeFileSync(survivedFile, JSON.stringify(survivors.map(({ id }) => id)));
  return { results, survivors, covered: Number(readText(coveredFile)) };
}

/** A mutant's place, its code, and what the code was changed to. */
function describe({ fileName, location, mutatorName, replacement }, sources) {
  const path = relative(root, fileName);
  const { line, column } = location.start;
  const code = cut(sources.get(path), location);
  return `${path}:${line}:${column} ${mutatorName}\n- ${code}\n+ ${replacement}\n`;
}

/** At most five lines of it. */
function cut(text, { start, end }) {
  const lines = text.split("\n").slice(start.line - 1, end.line);
  lines.push(lines.pop().slice(0, end.column - 1));
  lines[0] = lines[0].slice(start.column - 1);
  return [...lines.slice(0, 5), ...(lines.length > 5 ? ["…"] : [])].join("\n");
}

const options = readOptions();
install();
mkdirSync(work, { recursive: true });
// What .mocharc.parallel.cjs and mocha say to tests that are compiled and share a worker.
Object.assign(process.env, { PLATEN_TEST_BUILT: "1", MOCHA_WORKER_ID: "0" });
const variables = { ...process.env };
const rows = [];
for (const folder of options.folders) {
  const started = performance.now();
  // The same mutants are covered on every machine, whatever servers it has, unless the folder's subject is a server.
  for (const name of ["MYSQL_URL", "POSTGRES_URL", "S3_URL", "FIREFOX"]) {
    const key = `PLATEN_TEST_${name}`;
    delete process.env[key];
    if (serversOf[folder]?.includes(name) && variables[key])
      process.env[key] = variables[key];
  }
  // As they are now: a run takes long.
  const paths = globSync(`core/${folder}/**/*.ts`);
  const sources = new Map(paths.map((path) => [path, readText(path)]));
  try {
    const { results, survivors, covered } = await testMutants(folder, options);
    const count = (...statuses) =>
      results.filter(({ status }) => statuses.includes(status)).length;
    const killed = count("Killed", "Timeout");
    const texts = survivors.map((mutant) => describe(mutant, sources));
    writeFileSync(join(work, `${folder}.txt`), texts.toSorted().join("\n"));
    rows.push([
      `\`${folder}\``,
      results.length,
      covered,
      killed + survivors.length,
      killed,
      survivors.length,
      `${((100 * killed) / (killed + survivors.length)).toFixed(1)} %`,
      Math.round((performance.now() - started) / 1000),
    ]);
  } catch (error) {
    process.stderr.write(`platen: ${folder}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
const head = [
  "folder",
  "mutants",
  "covered",
  "run",
  "killed",
  "survived",
  "score",
  "seconds",
];
const line = (cells) => `| ${cells.join(" | ")} |\n`;
process.stdout.write([head, head.map(() => "---"), ...rows].map(line).join(""));
