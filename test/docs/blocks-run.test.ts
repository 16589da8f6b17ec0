import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, resolve } from "node:path";
import { expect } from "chai";
import { type DocBlock, readBlocks } from "../support/doc-blocks.js";
import { useListener } from "../support/fakes/fake-server.js";
import {
  programArguments,
  startServiceProcess,
} from "../support/service-process.js";
import { runCommand } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

interface PageRun {
  code: number;
  /** The line of the last block that was started. */
  line: number;
  stderr: string;
  /** What each block printed, by the line of the block. */
  stdout: ReadonlyMap<number, string>;
}

/** jq for the few expressions on our pages, so that the tests need nothing but bash and curl. */
const jq = `#!${process.execPath}
const [flag, path, file] = process.argv.slice(2);
if (flag !== "-r" || !/^(?:\\.\\w+|\\[\\d+\\])+$/.test(path))
  throw new Error("this jq only knows -r .path[0].name, not " + process.argv.slice(2));
const text = require("fs").readFileSync(file ?? 0, "utf8");
let value = JSON.parse(text);
for (const [, key, index] of path.matchAll(/\\.(\\w+)|\\[(\\d+)\\]/g)) value = value?.[key ?? Number(index)];
if (value === undefined) throw new Error("no " + path + " in " + text.slice(0, 300));
console.log(typeof value === "string" ? value : JSON.stringify(value));
`;

/** sqlite3, which runs statements on a file. */
const sqlite3 = `#!${process.execPath}
const [file, statements] = process.argv.slice(2);
const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve("better-sqlite3"))});
new Database(file).exec(statements);
`;

/** Where the commands of pages run: a folder with the service's data in ./data, and \`npx platen\`, jq, sqlite3 and curl. */
class DocShell {
  readonly #env: NodeJS.ProcessEnv;

  /**
   * @param url the service's address, which takes the place of the one on the pages
   * @param commands the address of `useCommands`
   */
  constructor(
    readonly folder: string,
    private readonly url: string,
    commands: string,
  ) {
    const tools = join(folder, ".tools");
    mkdirSync(tools, { recursive: true });
    const program = programArguments("core/cli/main").map((one) =>
      one.startsWith("-") || one === "tsx" ? one : resolve(one),
    );
    const node = JSON.stringify(process.execPath);
    // A loader is found from the folder of the repository alone.
    const args = program.map((one) =>
      JSON.stringify(one === "tsx" ? import.meta.resolve("tsx") : one),
    );
    const npx = `#!/usr/bin/env bash
[ "$1" = platen ] || { echo "npx runs platen alone here" >&2; exit 1; }
shift
case "$1" in start|serve|worker|dev|mcp|plugin|test) exec ${node} ${args.join(" ")} "$@" ;; esac
call=$(mktemp -d)
{ [ $# = 0 ] || printf '%s\\0' "$@"; } >"$call/arguments"
env -0 >"$call/environment"
case " $* " in *" - "*) cat ;; esac >"$call/input"
curl -qsG --data-urlencode "call=$call" --data-urlencode "folder=$PWD" '${commands}'
cat "$call/stdout"
cat "$call/stderr" >&2
exit "$(cat "$call/code")"
`;
    for (const [name, text] of Object.entries({ npx, jq, sqlite3 })) {
      writeFileSync(join(tools, name), text);
      chmodSync(join(tools, name), 0o755);
    }
    // An error of the service ends the page's script.
    writeFileSync(join(folder, ".curlrc"), "fail-with-body\n");
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^PLATEN_|^npm_/.test(name),
    );
    this.#env = {
      ...Object.fromEntries(inherited),
      HOME: folder,
      PATH: [tools, process.env["PATH"]].join(delimiter),
      PLATEN_BASE_URL: url,
      // Sources are compiled by the settings of the repository, wherever the command runs.
      TSX_TSCONFIG_PATH: resolve("tsconfig.json"),
    };
  }

  /** Runs the page's shell blocks in their order, in one bash, after the files that it names were written. */
  async run(blocks: DocBlock[]): Promise<PageRun> {
    const outputs = mkdtempSync(join(this.folder, ".run-"));
    const parts = ["set -eo pipefail"];
    for (const { language, note, code, line } of blocks) {
      const [, file] = /^file=(\S+)/.exec(note) ?? [];
      if (file !== undefined) {
        const path = join(outputs, `${line}.file`);
        writeFileSync(path, this.#here(code));
        parts.push(`mkdir -p "$(dirname ${file})"`, `cp '${path}' ${file}`);
      } else if (language === "sh" && !note.startsWith("skip:")) {
        // Some commands are meant to fail, and their output shows how.
        const body = note.startsWith("fails")
          ? `! { ${code}\n}`
          : note.startsWith("may fail")
            ? `{ ${code}\n} || true`
            : code;
        parts.push(
          `echo ${line} > '${outputs}/line'`,
          `{ ${this.#here(body)}\n} > '${outputs}/${line}.out'`,
        );
      }
    }
    writeFileSync(join(outputs, "script.sh"), `${parts.join("\n")}\n`);
    writeFileSync(join(outputs, "line"), "0");
    return this.#finish(outputs, blocks);
  }

  #here(code: string): string {
    return code.replaceAll("http://127.0.0.1:3000", this.url);
  }

  #finish(outputs: string, blocks: DocBlock[]): Promise<PageRun> {
    return new Promise((resolveRun) => {
      const child = execFile(
        "bash",
        [join(outputs, "script.sh")],
        { cwd: this.folder, env: this.#env },
        (error, rest, stderr) => {
          const stdout = new Map(
            blocks.map(({ line }) => {
              const text = readIfThere(join(outputs, `${line}.out`));
              return [line, text] as const;
            }),
          );
          resolveRun({
            code: error ? Number(error.code ?? 1) : 0,
            line: Number(readIfThere(join(outputs, "line"))),
            stderr: rest + stderr,
            stdout,
          });
        },
      );
      child.stdin?.end();
    });
  }
}

const splitAtZeros = (text: string) => text.split("\0").slice(0, -1);

/** Runs the command that a shell has written to files of `call`, and writes there what it prints. */
async function runCall(call: string, folder: string): Promise<void> {
  const read = (name: string) => readFileSync(join(call, name), "utf8");
  const env = Object.fromEntries(
    splitAtZeros(read("environment")).map((entry) => {
      const [name = "", ...value] = entry.split("=");
      return [name, value.join("=")];
    }),
  );
  const args = splitAtZeros(read("arguments"));
  const result = await runCommand(args, env, { input: read("input"), folder });
  for (const [name, text] of Object.entries(result))
    writeFileSync(join(call, name), String(text));
}

/** Runs commands of shells in this process, since a process for each takes most of the time. */
function useCommands() {
  return useListener((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const call = searchParams.get("call") ?? "";
    runCall(call, searchParams.get("folder") ?? "").then(
      () => response.end(),
      () => response.destroy(),
    );
  });
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Where an example has what the real answer lacks, or of another kind; "…" stands for anything. */
function findDifferences(
  example: unknown,
  actual: unknown,
  path = "$",
): string[] {
  if (typeof example === "string" && example.includes("…")) {
    const isText = typeof actual === "string" || actual === null;
    return isText || example === "…" ? [] : [`${path} is no text`];
  }
  if (Array.isArray(example)) {
    if (!Array.isArray(actual)) return [`${path} is no array`];
    return example.flatMap((one: unknown, index) =>
      one === "…"
        ? []
        : findDifferences(one, actual[index], `${path}[${index}]`),
    );
  }
  if (typeof example === "object" && example !== null) {
    if (typeof actual !== "object" || actual === null)
      return [`${path} is no object`];
    const fields = new Map<string, unknown>(Object.entries(actual));
    return Object.entries(example).flatMap(([name, value]) => {
      if (name === "…") return [];
      const at = `${path}.${name}`;
      return fields.has(name)
        ? findDifferences(value, fields.get(name), at)
        : [`${at} is missing`];
    });
  }
  return typeof example === typeof actual || actual === null
    ? []
    : [`${path} is ${typeof actual}, not ${typeof example}`];
}

// Every shell block of these pages runs, in its order, against a started service; every definition is accepted by it, and
// every example of a response is like the real one. What cannot run says why: "```sh skip: needs an Airtable account".

const folders = ["tutorials", "how-to", "reference"];
const pages = [
  "README.md",
  ...folders.flatMap((folder) =>
    readdirSync(join("docs", folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${folder}/${name}`),
  ),
];

/** The definition that a JSON example is, or whose components it shows; null for any other JSON. */
function toDefinition(value: unknown): object | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value))
    return "schema" in value && "components" in value ? value : null;
  const areComponents = value.every((one: unknown) => Object(one).type);
  return areComponents ? { schema: [], components: value } : null;
}

/** Blocks of the section of another page that a page's comment names; the page's own commands use what they have created. */
function readEarlierBlocks(page: string): DocBlock[] {
  const [, other = "", anchor = ""] =
    /^<!-- runs first: (\S+)#(\S+) -->$/m.exec(readFileSync(page, "utf8")) ??
    [];
  if (other === "") return [];
  const lines = readFileSync(other, "utf8").split("\n");
  const heading = lines.findIndex(
    (line) =>
      line.startsWith("## ") &&
      line.slice(3).toLowerCase().replaceAll(" ", "-") === anchor,
  );
  if (heading === -1) throw new Error(`${page}: ${other} has no ${anchor}`);
  const next = lines.findIndex(
    (line, index) => index > heading && line.startsWith("## "),
  );
  // Negative, so that no block has the line of one of the page.
  return readBlocks(other)
    .filter(({ line }) => line > heading && line <= next)
    .map((block) => ({ ...block, line: -block.line }));
}

const isRun = ({ language, note }: DocBlock) =>
  language === "sh" && !note.startsWith("skip:");

describe("the documentation", () => {
  const folder = suiteFolder();
  const commands = useCommands();
  const { url } = startServiceProcess({
    PLATEN_DATA: join(folder, "data"),
    PLATEN_DEMO: "on",
  });
  let shell: DocShell;
  let createTemplate: (definition: object, type: string) => Promise<Response>;

  before(async () => {
    shell = new DocShell(folder, await url, `${commands.url}/`);
    const key = readFileSync(join(folder, "data/demo-key.txt"), "utf8").trim();
    createTemplate = async (definition, templateType) =>
      fetch(`${await url}/api/templates`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ name: "Example", definition, templateType }),
      });
  });

  for (const page of pages) {
    const blocks = readBlocks(page);
    const json = blocks.filter(({ language }) => language === "json");

    if (json.length > 0)
      it(`has valid JSON and valid definitions on the page ${page}`, async () => {
        for (const { code, note, line } of json) {
          const value: unknown = JSON.parse(code);
          const definition = note === "response" ? null : toDefinition(value);
          if (definition === null) continue;
          const type = note === "email" ? "email" : "document";
          const response = await createTemplate(definition, type);
          expect(
            response.status,
            `${page}:${line} ${await response.text()}`,
          ).to.equal(201);
        }
      });

    if (!blocks.some(isRun)) continue;
    it(`has commands that run and print what the page shows: ${page}`, async function () {
      // Each command of a page is a process.
      this.timeout(600_000);
      const { code, line, stderr, stdout } = await shell.run([
        ...readEarlierBlocks(page),
        ...blocks,
      ]);
      expect(
        code,
        `${page}:${line}\n${stderr}\n${stdout.get(line) ?? ""}`,
      ).to.equal(0);
      for (const [index, block] of blocks.entries())
        if (block.note === "response")
          expectLike(block, stdout.get(shellBefore(blocks, index)) ?? "");
    });
  }

  it("gives a reason for each block that does not run, and skips few", () => {
    const all = pages.flatMap(readBlocks);
    const skipped = all.filter(({ note }) => note.startsWith("skip:"));
    for (const { note } of skipped) expect(note).to.match(/^skip: \w{3,}/);
    const shells = all.filter(({ language }) => language === "sh");
    expect(skipped.length / shells.length).to.be.below(0.2);
  });
});

/** The line of the last shell block before this one. */
function shellBefore(blocks: DocBlock[], index: number): number {
  const earlier = blocks.slice(0, index);
  return earlier.findLast(({ language }) => language === "sh")?.line ?? 0;
}

function expectLike({ code, line }: DocBlock, output: string): void {
  const example: unknown = JSON.parse(code);
  const actual: unknown = JSON.parse(output);
  expect(findDifferences(example, actual), `line ${line}`).to.deep.equal([]);
}
