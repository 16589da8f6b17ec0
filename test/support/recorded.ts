import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";

/**
 * A test for each section of a file of inputs with their results: a title after `# `, and inputs, each with its results
 * indented below it. UPDATE_GOLDEN=1 writes the results anew; the diff shows what changed.
 */
export function useRecorded(
  file: URL,
  evaluate: (input: string, title: string) => Promise<readonly string[]>,
): void {
  const sections = readFileSync(file, "utf8")
    .trimEnd()
    .split(/\n(?=# )/);
  for (const [index, section] of sections.entries()) {
    const recorded = section.trimEnd().split("\n");
    const [head = "", ...lines] = recorded;
    const title = head.slice(2);
    it(title, async () => {
      const results = [head];
      for (const input of lines.filter((line) => !/^( {4}|$)/.test(line))) {
        const found = await evaluate(input, title);
        results.push(input, ...found.map((line) => `    ${line}`.trimEnd()));
      }
      sections[index] = results.join("\n");
      if (!process.env["UPDATE_GOLDEN"])
        expect(results, "UPDATE_GOLDEN=1 records what is").to.eql(recorded);
    });
  }
  if (process.env["UPDATE_GOLDEN"])
    after(() => {
      const texts = sections.map((section) => section.trimEnd());
      writeFileSync(file, `${texts.join("\n\n")}\n`);
    });
}

/** What applies to the inputs of a section that follow it. */
interface Common {
  /** What the inputs are: the beginning of the file's name, unless a section says otherwise. */
  in: string;
  /** Whether only the last result is recorded, and how many there are. */
  count?: boolean;
}

/**
 * Tests the files of a folder, whose sections also have settings:
 *
 *     # A section, which is one test
 *     @ {"data": {"a": 1}}                 settings of the inputs that follow
 *     root.a + 1                           an input; ⏎ is a line break, ⟦a×3⟧ is aaa
 *         = 2                              its results, indented; \u{a0} is a character that cannot be seen
 *
 * @param evaluate returns the results of an input, which it gets without and with its line breaks
 */
export function testRecorded<S extends Common>(
  folder: URL,
  begin: (kind: string) => S,
  evaluate: (line: string, input: string, setting: S) => readonly string[],
): void {
  for (const name of readdirSync(folder))
    describe(`the results in ${name}`, () => {
      const kind = name.replace(/[.-].*/, "");
      let section = "";
      let setting = begin(kind);
      useRecorded(new URL(name, folder), async (written, title) => {
        if (title !== section) setting = begin(kind);
        section = title;
        const line = expand(written);
        if (line.startsWith("@ ")) {
          Object.assign(setting, JSON.parse(line.slice(2)));
          return [];
        }
        const all = evaluate(line, line.replaceAll("⏎", "\n"), setting);
        const lines = setting.count
          ? [`${all.length} lines`, ...all.slice(-1)]
          : all;
        return lines.map((one) => showInvisible(shorten(one)));
      });
    });
}

/** With its repetitions written out. */
function expand(line: string): string {
  return line.replaceAll(/⟦(.*?)×(\d+)⟧/g, (_, part: string, count: string) =>
    part.repeat(Number(count)),
  );
}

function shorten(text: string): string {
  return text.length <= 4000
    ? text
    : `${text.slice(0, 100)} … ${text.slice(-100)} (${text.length} characters)`;
}

/** Control characters, special spaces and marks of direction, and spaces at the end. */
function showInvisible(text: string): string {
  return text
    .replaceAll("\n", "⏎")
    .replaceAll(
      /[\p{Cc}\p{Cs}\u00a0\u00ad\u061c\u200b\u200e\u200f\u202f]| $/gu,
      (one) => `\\u{${one.charCodeAt(0).toString(16)}}`,
    );
}
