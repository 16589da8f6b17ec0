import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { parseSync } from "oxc-parser";
import { readRows } from "../support/rows.js";

/**
 * The capabilities and what each may import beside `lib` and `plugin-api`. A name stands for its folder and everything
 * below it that is not a capability of its own. docs/explanation/architecture.md gives the reasons.
 */
const allowed = new Map(
  readRows(`
    definition/schema
    plugin-api | definition/schema
    lib
    definition | definition/schema
    compiler | definition definition/schema
    compute | definition definition/schema compiler
    rendering
    queue | storage/database
    storage/database
    storage/files | storage/database
    accounts | storage/database
    folders | storage/database
    assets | storage/database storage/files accounts folders compute rendering
    webhooks | storage/database accounts queue
    templates | storage/database storage/files accounts definition definition/schema compute
    certificates | storage/database accounts compute rendering
    documents | storage/database storage/files accounts assets certificates definition compiler compute rendering templates
    templates/drafts | storage/database accounts definition compiler compute templates documents
    template-files | accounts assets definition compute documents
    batches | storage/database storage/files certificates queue rendering documents webhooks
    integrations/host | storage/database
    integrations/connections | storage/database accounts integrations/host
    integrations/platforms | storage/database accounts storage/files queue definition documents batches webhooks integrations/host integrations/connections
    deliveries | storage/database queue definition templates documents batches integrations/host integrations/connections
    automations | storage/database accounts queue batches integrations/connections integrations/platforms
    signatures | storage/database accounts storage/files queue documents webhooks integrations/host integrations/connections
  `).map(([name = "", others = ""]) => [name, others.split(" ")] as const),
);
/** Entry points may import every capability but the database, and none imports them or `app`, which puts all together. */
const entryPoints = ["api", "mcp", "cli"];
const allowedForAll = ["lib", "plugin-api"];
/** The schemas import nothing at all, since the plugin API takes its types from them. */
const isolated = ["definition/schema"];

const names = [...allowed.keys(), ...entryPoints, "app"].toSorted(
  (one, other) => other.length - one.length,
);
/** The program: it starts `app`, so it stands outside of the capability whose folder it is in. */
const programs = ["core/cli/main.ts"];

const clockFile = "core/lib/clock.ts";
const layoutFiles = ["layout.ts", "paper.ts"].map(
  (name) => `core/definition/page/${name}`,
);

const files = sourceFiles();

function getCapability(path: string): string | null {
  if (programs.includes(path)) return null;
  return names.find((name) => path.startsWith(`core/${name}/`)) ?? null;
}

function mayImport(from: string, to: string): boolean {
  if (from === to || from === "app") return true;
  if (allowedForAll.includes(to)) return !isolated.includes(from);
  if (entryPoints.includes(from))
    return ![...entryPoints, "app", "storage/database"].includes(to);
  return allowed.get(from)?.includes(to) ?? false;
}

/** The imports of a capability's files that it may not have, as `from -> to`. */
function forbiddenImports(capability: string): string[] {
  return files
    .filter(({ path }) => getCapability(path) === capability)
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith("core/"))
        .filter((target) => {
          const to = getCapability(target);
          return to === null || !mayImport(capability, to);
        })
        .map((target) => `${path} -> ${target}`),
    );
}

describe("the import rules", () => {
  for (const capability of names)
    it(`let ${capability} import only what is allowed`, () => {
      expect(forbiddenImports(capability)).to.deep.equal([]);
    });

  // plugins/lib holds what shipped plugins share and third-party plugins do not need: those import types alone.
  it("let a plugin import only the plugin API, plugins/lib and itself", () => {
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

  // Anything else would bring its libraries into the studio's pages.
  it("let the studio import only files of the plugin API, the views of capabilities, the types of the public API, the clock and the layout", () => {
    const forbidden = files
      .filter(({ path }) => path.startsWith("studio/"))
      .flatMap(({ path, imports }) =>
        imports
          .filter(
            (target) =>
              !/^(?:studio|core\/plugin-api)\//.test(target) &&
              !/^core\/[\w/]+\/views\.ts$/.test(target) &&
              target !== "sdk/src/api.ts" &&
              ![clockFile, ...layoutFiles].includes(target),
          )
          .map((target) => `${path} -> ${target}`),
      );
    expect(forbidden).to.deep.equal([]);
  });

  it("let no files import each other in a circle, types included", () => {
    const rest = new Map(files.map(({ path, imports }) => [path, imports]));
    const isKnown = (path: string) => rest.has(path) || rest.has(`${path}x`);
    for (let before = Infinity; rest.size < before;) {
      before = rest.size;
      for (const [path, imports] of rest)
        if (!imports.some(isKnown)) rest.delete(path);
    }
    // These, or files that import them.
    expect([...rest.keys()]).to.deep.equal([]);
  });

  it("assign every file of core to a capability or the program", () => {
    const unassigned = files
      .map(({ path }) => path)
      .filter((path) => path.startsWith("core/"))
      .filter((path) => getCapability(path) === null);
    expect(unassigned).to.have.members(programs);
  });

  it("let only core/app see the container", () => {
    const users = files.filter(
      ({ path, text }) =>
        path.startsWith("core/") &&
        /\bDependencyContainer\b|from "tsyringe"/.test(text),
    );
    const others = users
      .map(({ path }) => path)
      .filter((path) => !path.startsWith("core/app/"));
    expect(others).to.deep.equal(["core/lib/injection.ts"]);
  });

  it("let only the command line read the environment", () => {
    const readers = files.filter(
      ({ path, text }) =>
        path.startsWith("core/") &&
        // Libraries that read a variable themselves are given it by an assignment.
        /process\.env(?!\["[A-Z_]+"\] = )/.test(text),
    );
    expect(readers.map(({ path }) => path)).to.deep.equal([
      "core/app/command-line.ts",
    ]);
  });
});

interface SourceFile {
  path: string;
  text: string;
  /** Paths of the project's own files that it imports, as they stand in the source tree. */
  imports: string[];
}

/** Every TypeScript file of the service itself, with its imports (types included). */
function sourceFiles(): SourceFile[] {
  const folders = ["core", "config", "plugins", "migrations", "studio"];
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => read(join(folder, name))),
  );
}

function read(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  const { module } = parseSync(path, text);
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.map((one) => one.moduleRequest?.value ?? ""),
    ),
    ...module.dynamicImports.map((entry) =>
      text.slice(entry.moduleRequest.start + 1, entry.moduleRequest.end - 1),
    ),
  ];
  const imports = specifiers
    .filter((name) => name.startsWith("."))
    .map((name) =>
      normalize(join(dirname(path), name)).replace(/\.js$/, ".ts"),
    );
  return { path, text, imports: [...new Set(imports)] };
}
