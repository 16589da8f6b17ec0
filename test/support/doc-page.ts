import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, resolve } from "node:path";
import { programArguments } from "./service-process.js";

/** A fenced block of a Markdown page: "```sh skip: needs an Airtable account" has the note "skip: needs …". */
export interface DocBlock {
  language: string;
  note: string;
  code: string;
  line: number;
}

/** The fenced blocks of a page, those inside of lists too. */
export function readBlocks(page: string): DocBlock[] {
  const lines = readFileSync(page, "utf8").split("\n");
  const blocks: DocBlock[] = [];
  let open: (DocBlock & { indent: string; fence: string }) | null = null;
  for (const [index, line] of lines.entries()) {
    const [, indent = "", fence = "", info = ""] =
      /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === null && fence !== "") {
      const [language = "", ...note] = info.trim().split(" ");
      const at = { language, note: note.join(" "), line: index + 1 };
      open = { ...at, code: "", indent, fence };
    } else if (open !== null && fence === open.fence && info === "") {
      const { indent: _, fence: __, ...block } = open;
      blocks.push(block);
      open = null;
    } else if (open !== null) {
      open.code += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line}\n`;
    }
  }
  return blocks;
}

export interface PageRun {
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
export class DocShell {
  readonly #env: NodeJS.ProcessEnv;

  /** @param url the service's address, which takes the place of the one on the pages. */
  constructor(
    readonly folder: string,
    private readonly url: string,
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
    const npx = `#!/usr/bin/env bash\n[ "$1" = platen ] || { echo "npx runs platen alone here" >&2; exit 1; }\nexec ${node} ${args.join(" ")} "\${@:2}"\n`;
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

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Where an example has what the real answer lacks, or of another kind; "…" stands for anything. */
export function findDifferences(
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
