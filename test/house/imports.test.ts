import { expect } from "chai";
import { describe, it } from "mocha";
import { sourceFiles } from "./source-files.js";

const everyone = ["contract"];

/** Who may import whom, `contract` apart; docs/architecture.md gives the reasons. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  template: [],
  render: [],
  queue: [],
  store: [],
  file: ["store"],
  account: ["store"],
  event: ["queue", "store"],
  document: ["template", "render", "file", "event", "account", "store"],
  connection: ["store"],
  batch: ["document", "event", "queue", "store"],
  platform: ["batch", "event", "store", "file", "connection"],
  esign: ["connection", "document", "event", "queue", "store", "file"],
};
const doorways = ["http", "mcp", "cli"];

const files = sourceFiles();

/** An entry, as core/main.ts is: it joins the parts, and so stands outside of the room whose folder it is in. */
const commandLine = "core/cli/main.ts";

/** The room of a path below core/; null for what stands outside all rooms. */
function roomOf(path: string): string | null {
  if (path === commandLine) return null;
  return /^core\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function mayImport(from: string, to: string): boolean {
  if (from === to || everyone.includes(to)) return true;
  if (doorways.includes(from)) return !doorways.includes(to) && to !== "store";
  return allowed[from]?.includes(to) ?? false;
}

describe("the house's import rules", () => {
  for (const file of files.filter(({ path }) => roomOf(path) !== null)) {
    const room = roomOf(file.path) as string;
    it(`${file.path} imports only what ${room} may see`, () => {
      const wrong = file.imports.filter((target) => {
        const to = roomOf(target);
        if (to === null) return !target.startsWith("core/cli/");
        return !mayImport(room, to);
      });
      expect(wrong).to.deep.equal([]);
    });
  }
});
