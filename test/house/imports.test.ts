import { expect } from "chai";
import { describe, it } from "mocha";
import { sourceFiles } from "./source-files.js";

/**
 * The capabilities and what each may import beside `lib` and `plugin-api`. A name stands for its folder and everything
 * below it that is not a capability of its own. docs/architecture.md gives the reasons.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "plugin-api": [],
  lib: [],
  definition: [],
  compiler: ["definition"],
  rendering: [],
  queue: [],
  "storage/database": [],
  "storage/files": ["storage/database"],
  accounts: ["storage/database"],
  folders: ["storage/database"],
  assets: ["storage/database", "storage/files", "folders"],
  webhooks: ["storage/database", "queue"],
  templates: ["storage/database", "storage/files", "accounts", "definition"],
  documents: [
    "storage/database",
    "storage/files",
    "accounts",
    "assets",
    "definition",
    "compiler",
    "rendering",
    "templates",
  ],
  "templates/drafts": [
    "storage/database",
    "accounts",
    "definition",
    "compiler",
    "templates",
    "documents",
  ],
  batches: ["storage/database", "queue", "documents", "webhooks"],
  "integrations/host": [],
  "integrations/connections": ["storage/database", "integrations/host"],
  "integrations/platforms": [
    "storage/database",
    "storage/files",
    "queue",
    "definition",
    "documents",
    "batches",
    "webhooks",
    "integrations/host",
    "integrations/connections",
  ],
  signatures: [
    "storage/database",
    "storage/files",
    "queue",
    "documents",
    "webhooks",
    "integrations/host",
    "integrations/connections",
  ],
};
/** Entry points may import every capability but the database, and none imports them or `app`, which puts all together. */
const entryPoints = ["api", "mcp", "cli"];
const everyone = ["lib", "plugin-api"];

const names = [...Object.keys(allowed), ...entryPoints, "app"].toSorted(
  (one, other) => other.length - one.length,
);
/** The program: it starts `app`, so it stands outside of the capability whose folder it is in. */
const programs = ["core/cli/main.ts"];

const files = sourceFiles();

function capabilityOf(path: string): string | null {
  if (programs.includes(path)) return null;
  return names.find((name) => path.startsWith(`core/${name}/`)) ?? null;
}

function mayImport(from: string, to: string): boolean {
  if (from === to || from === "app" || everyone.includes(to)) return true;
  if (entryPoints.includes(from))
    return ![...entryPoints, "app", "storage/database"].includes(to);
  return allowed[from]?.includes(to) ?? false;
}

/** The imports of a capability's files that it may not have, as `from -> to`. */
function forbiddenImports(capability: string): string[] {
  return files
    .filter(({ path }) => capabilityOf(path) === capability)
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith("core/"))
        .filter((target) => {
          const to = capabilityOf(target);
          return to === null || !mayImport(capability, to);
        })
        .map((target) => `${path} -> ${target}`),
    );
}

describe("the import rules", () => {
  for (const capability of names)
    it(`${capability} imports only what it may`, () => {
      expect(forbiddenImports(capability)).to.deep.equal([]);
    });

  // plugins/lib holds what shipped plugins share and third-party plugins do not need: those import types alone.
  it("a plugin imports only the plugin API, plugins/lib and itself", () => {
    const forbidden = files
      .filter(({ path }) => path.startsWith("plugins/"))
      .filter(({ path }) => path !== "plugins/index.ts")
      .flatMap(({ path, imports }) => {
        const own = path.split("/").slice(0, 2).join("/");
        return imports
          .filter((target) => /^(core|config|plugins)\//.test(target))
          .filter(
            (target) =>
              !["core/plugin-api", "plugins/lib", own].some((folder) =>
                target.startsWith(`${folder}/`),
              ),
          )
          .map((target) => `${path} -> ${target}`);
      });
    expect(forbidden).to.deep.equal([]);
  });

  it("every file of core belongs to a capability or is the program", () => {
    const homeless = files
      .map(({ path }) => path)
      .filter((path) => path.startsWith("core/"))
      .filter((path) => capabilityOf(path) === null);
    expect(homeless).to.have.members(programs);
  });

  it("only the command line reads the environment", () => {
    const readers = files.filter(
      ({ path, text }) =>
        path.startsWith("core/") && text.includes("process.env"),
    );
    expect(readers.map(({ path }) => path)).to.deep.equal([
      "core/app/command-line.ts",
    ]);
  });
});
