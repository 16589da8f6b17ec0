import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  type DocBlock,
  DocShell,
  findDifferences,
  readBlocks,
} from "../support/doc-page.js";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";

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

const isRun = ({ language, note }: DocBlock) =>
  language === "sh" && !note.startsWith("skip:");

describe("the documentation", () => {
  const folder = suiteFolder();
  const { url } = startServiceProcess({ PLATEN_DATA: join(folder, "data") });
  let shell: DocShell;
  let createTemplate: (definition: object, type: string) => Promise<Response>;

  before(async () => {
    shell = new DocShell(folder, await url);
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
      const { code, line, stderr, stdout } = await shell.run(blocks);
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
