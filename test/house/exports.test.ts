import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const folders = "core config plugins studio scripts bench test".split(" ");
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /^(?!.*node_modules).*\.(?:ts|tsx|mjs)$/.test(name))
    .map((name) => join(folder, name)),
);

/** The files in which a name stands, but for those that only pass it on. */
const users = new Map<string, string[]>();
/** Of functions, classes and constants; the file is where they are made. */
const made: { name: string; file: string }[] = [];
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const own = text.replaceAll(/^export (?:type )?\{[^}]*\} from .*$/gm, "");
  for (const name of new Set(own.match(/[A-Za-z_$][\w$]*/g)))
    users.set(name, [...(users.get(name) ?? []), file]);
  const exported =
    /^export (?:async )?(?:function\*?|const|class|abstract class) (\w+)/gm;
  if (
    !/^(?:test|plugins.contract-suite|core.contract|scripts.mutation)\b/.test(
      file,
    )
  )
    for (const [, name = ""] of text.matchAll(exported))
      made.push({ name, file });
}

/** What a platform or Stryker loads by its name and what authors of plugins are given is used by nobody here. */
describe("what a file exports", () => {
  it("is imported by another file", () => {
    const idle = made.filter(({ name, file }) =>
      (users.get(name) ?? []).every((user) => user === file),
    );
    expect(idle.map(({ name, file }) => `${file}: ${name}`)).to.deep.equal([]);
  });
});
