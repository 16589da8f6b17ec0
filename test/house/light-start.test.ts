import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { parseSync } from "oxc-parser";
import { listWords } from "../support/rows.js";

/** Libraries that take long to load and that many a service never needs: whoever does loads them by `import()`. */
const heavy = listWords(`
  @aws-sdk/ @cantoo/pdf-lib @modelcontextprotocol/ mediabunny mjml nodemailer openid-client pdf-lib prom-client sharp
  undici zod-openapi
`);

function isHeavy(line: string): boolean {
  return heavy.some((name) => line.includes(` -> ${name}`));
}

/** What loading a file loads with it: all but types and `import()`. */
function loads(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const { staticImports, staticExports } = parseSync(path, text).module;
  const isType = (start: number) =>
    /^(?:import|export) type /.test(text.slice(start, start + 12));
  return [
    ...staticImports
      .filter(({ start }) => !isType(start))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports
      .filter(({ start }) => !isType(start))
      .flatMap(({ entries }) =>
        entries.map(({ moduleRequest }) => moduleRequest?.value ?? ""),
      ),
  ];
}

/** `file -> library` for every library that is loaded with `entry`. */
function loadedWith(entry: string): string[] {
  const files = new Set([entry]);
  const libraries: string[] = [];
  for (const path of files)
    for (const name of loads(path))
      if (name.startsWith("."))
        files.add(normalize(join(dirname(path), name)).replace(/\.js$/, ".ts"));
      else libraries.push(`${path} -> ${name}`);
  return libraries;
}

/** Libraries, without what belongs to Node. */
function getLibraries(...entries: string[]): string[] {
  const names = entries
    .flatMap(loadedWith)
    .map((line) => line.split(" -> ")[1] ?? "");
  return [...new Set(names)].filter((name) => !/^(?:$|node:)/.test(name));
}

describe("the start of the service", () => {
  it("loads no large library", () => {
    const loaded = loadedWith("core/app/service.ts");
    expect(loaded).to.include("core/lib/injection.ts -> reflect-metadata");
    expect(loaded.filter(isHeavy)).to.deep.equal([]);
  });
});

describe("the start of a command", () => {
  it("loads nothing that an unsupported Node could not load", () => {
    expect(getLibraries("core/cli/main.ts")).to.deep.equal([]);
  });

  it("loads only one library for the version and for help", () => {
    const libraries = getLibraries("core/app/command-line.ts");
    expect(libraries).to.deep.equal(["commander"]);
  });

  it("loads only configuration, database and accounts for a list of organizations", () => {
    const libraries = getLibraries(
      "core/app/command-line.ts",
      "core/cli/org.ts",
      "config/index.ts",
      "core/app/command-services.ts",
    );
    expect(libraries).to.have.members(
      listWords(`
      commander zod fastest-levenshtein ipaddr.js lru-cache reflect-metadata tsyringe typeorm uuid
    `),
    );
  });
});
