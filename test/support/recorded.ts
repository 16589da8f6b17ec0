import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { after, it } from "mocha";

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
      if (!process.env["UPDATE_GOLDEN"]) expect(results).to.eql(recorded);
    });
  }
  if (process.env["UPDATE_GOLDEN"])
    after(() => writeFileSync(file, `${sections.join("\n\n")}\n`));
}
