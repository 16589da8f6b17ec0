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
  metrics: [],
  pdf: [],
  file: ["store"],
  folder: ["store"],
  asset: ["store", "file", "folder", "outbound"],
  account: ["store"],
  outbound: [],
  request: [],
  secret: [],
  event: ["queue", "store", "outbound", "secret"],
  document: [
    "template",
    "render",
    "pdf",
    "file",
    "folder",
    "asset",
    "event",
    "account",
    "store",
    "outbound",
  ],
  draft: ["account", "document", "store", "template"],
  session: ["account", "secret", "store"],
  admission: ["store"],
  host: ["outbound"],
  connection: ["store", "outbound", "host", "secret"],
  batch: ["document", "event", "queue", "store"],
  platform: [
    "batch",
    "document",
    "template",
    "event",
    "queue",
    "store",
    "file",
    "host",
    "connection",
    "secret",
    "outbound",
  ],
  esign: [
    "connection",
    "host",
    "secret",
    "document",
    "event",
    "queue",
    "store",
    "file",
    "outbound",
  ],
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

/** The imports of a room's files that it may not have, as `from -> to`. */
function forbidden(room: string): string[] {
  return files
    .filter(({ path }) => roomOf(path) === room)
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => {
          const to = roomOf(target);
          return to === null || !mayImport(room, to);
        })
        .map((target) => `${path} -> ${target}`),
    );
}

const rooms = new Set(files.flatMap(({ path }) => roomOf(path) ?? []));

describe("the house's import rules", () => {
  for (const room of rooms)
    it(`${room} imports only what it may see`, () => {
      expect(forbidden(room)).to.deep.equal([]);
    });

  it("every room stands in the table", () => {
    const known = [...Object.keys(allowed), ...doorways];
    expect(known).to.include.members([...rooms]);
  });

  it("no room reads the environment", () => {
    const readers = files.filter(
      ({ path, text }) => roomOf(path) !== null && text.includes("process.env"),
    );
    expect(readers.map(({ path }) => path)).to.deep.equal([]);
  });
});
