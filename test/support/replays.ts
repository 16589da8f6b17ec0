import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";

/**
 * A test for each section of the files of a folder: a section begins with "# " and its title, and `replay` returns it as it
 * is to be. What is above the first section is for all. UPDATE_GOLDEN=1 writes the sections anew; the diff shows what changed.
 */
export function replayEach(
  folder: URL,
  replay: (section: string, head: string) => Promise<string>,
): void {
  for (const name of readdirSync(folder)) {
    const file = new URL(name, folder);
    const [head = "", ...sections] = `\n${readFileSync(file, "utf8")}`.split(
      /^(?=# )/m,
    );
    describe(`in ${name}`, () => {
      for (const [at, section] of sections.entries())
        it(section.split("\n")[0]?.slice(2) ?? "", async () => {
          const replayed = await replay(section, head);
          if (process.env["UPDATE_GOLDEN"]) {
            sections[at] = replayed;
            writeFileSync(file, `${head}${sections.join("")}`.slice(1));
          } else
            expect(replayed.split("\n")).to.deep.equal(section.split("\n"));
        });
    });
  }
}

const ids =
  /\b(?:(ver|doc|batch)_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * Names for what differs from run to run. `hide` numbers ids in the order in which they appear, and gives a time the
 * seconds since `begin`; `show` puts them back.
 */
export function createNames(
  begin: number,
  known: [id: string, name: string][],
) {
  const names = new Map(known);
  const getName = (id: string, kind = "id") => {
    const count = [...names.values()].filter((one) => one.startsWith(kind));
    names.set(id, names.get(id) ?? `${kind}_${count.length + 1}`);
    return names.get(id) ?? "";
  };
  return {
    hide: (text: string) =>
      text
        .replaceAll(/(?<=\?)expires=\d+&signature=[\w-]+/g, "signature")
        .replaceAll(
          /(?<![\w-])(?!(?:plk|whsec)_)(?:[\w-]{43}|[\da-f]{64})(?![\w-])/g,
          "hash",
        )
        .replaceAll(ids, getName)
        .replaceAll(times, (at) => {
          const seconds = (Date.parse(at) - begin) / 1000;
          return Number.isInteger(seconds) ? `time_${seconds}` : at;
        }),
    show: (text: string) =>
      text
        .replaceAll(/\btime_(\d+)\b/g, (_, count) =>
          new Date(begin + 1000 * Number(count)).toISOString(),
        )
        .replaceAll(/\b(?:id|ver|doc|batch)_\d+\b/gi, (name) => {
          const isSame = ([, one]: [string, string]) =>
            one === name.toLowerCase();
          const id = [...names].find(isSame)?.[0] ?? name;
          return name === name.toLowerCase() ? id : id.toUpperCase();
        }),
  };
}
