import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const clockFile = "core/lib/clock.ts";
/** What asks the system for the time, and why it cannot ask the clock. */
const exceptions: Readonly<Record<string, string>> = {
  "core/api/run-page/page.js": "is sent to browsers as it is, without imports",
};
const otherClocks =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bset(?:Timeout|Interval)\b|\btimers\/promises"/g;

/** Each use of a clock other than `core/lib/clock.ts`, without those in comments. */
function findOtherClocks(text: string): string[] {
  const code = text
    .replace(/\/\*[^]*?\*\/|(?<![:"'])\/\/.*$/gm, "")
    // These do not wait for a time.
    .replace(/import \{[^}]*\} from "node:timers\/promises"/g, (line) =>
      /setTimeout|setInterval|scheduler/.test(line) ? line : "",
    );
  return code.match(otherClocks) ?? [];
}

describe("the clock of the product", () => {
  it("is the only one that core, plugins and the studio use", () => {
    const users = ["core", "plugins", "studio"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name))
        .filter((path) => /\.(?:[cm]?js|tsx?)$/.test(path))
        .filter(
          (path) => findOtherClocks(readFileSync(path, "utf8")).length > 0,
        ),
    );
    expect(users).to.have.members([clockFile, ...Object.keys(exceptions)]);
  });

  it("is missed by code that reads the time or waits without it", () => {
    for (const line of [
      "const at = Date.now();",
      "const at = new Date();",
      "setTimeout(work, 10); // later",
      "const timer = setInterval(work, 10);",
      'import { setTimeout as sleep } from "node:timers/promises";',
    ])
      expect(findOtherClocks(line), line).to.not.deep.equal([]);
    for (const line of [
      "const at = clock.now(); // not Date.now()",
      "const at = new Date(0);",
      'import { setImmediate as nextTurn } from "node:timers/promises";',
    ])
      expect(findOtherClocks(line), line).to.deep.equal([]);
  });
});
