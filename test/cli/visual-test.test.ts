import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import {
  readFiles,
  textTemplate,
  writeFiles,
} from "../support/template-files.js";

describe("platen test", () => {
  const home = suiteFolder();
  const platen = cliOn(home);
  const folder = join(home, "templates");
  const report = join(home, "report.html");
  const today = '{{ TODAY() | date("yyyy-MM-dd") }}';
  const run = (...args: string[]) => platen("test", folder, ...args);

  it("fails without pictures, stores them with --update, and then passes", async () => {
    writeFiles(folder, {
      "letter/template.json": textTemplate(
        "Letter",
        `Letter {{ root.number }} of ${today}`,
      ),
      "letter/sample.json": { number: "1" },
      "letter/samples/dated.json": {
        $now: "2020-02-03T10:00:00Z",
        number: "2",
      },
    });
    const missing = await run();
    expect(missing.code).to.equal(1);
    expect(missing.stdout).to.include(
      "failed   letter/sample: page 1 has no stored picture\n",
    );
    const updated = await run("--update");
    expect(updated.stderr).to.equal("");
    expect(updated.stdout).to.equal(
      "updated  letter/sample: 1 page\nupdated  letter/dated: 1 page\n2 passed.\n",
    );
    const before = await readFiles(folder);
    expect(before).to.include.keys(
      "letter/expected/sample-1.png",
      "letter/expected/dated-1.png",
    );
    expect(await run()).to.include({ code: 0, stderr: "" });
    await run("--update");
    expect(await readFiles(folder)).to.deep.equal(before);
  });

  it("fails for the sample whose page differs, and writes a report with the difference", async () => {
    writeFiles(folder, { "letter/sample.json": { number: "7" } });
    const { code, stdout } = await run("--report", report);
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /failed {3}letter\/sample: page 1 differs in (?:less than )?[\d.]+ % of its pixels\n/,
    );
    expect(stdout).to.include("passed   letter/dated: 1 page\n");
    const html = await readFile(report, "utf8");
    for (const caption of ["Expected", "Actual", "Difference"])
      expect(html).to.include(`<figcaption>${caption}</figcaption>`);
    expect(html).to.not.match(/(?:src|href)="(?!data:)/);
    expect((await run("--tolerance", "50")).code).to.equal(0);
  });

  it("makes documents of another day with --now", async () => {
    await run("--update");
    const { stdout } = await run("--now", "2031-12-31T00:00:00Z");
    expect(stdout).to.include("failed   letter/sample: page 1 differs");
  });

  it("fails for the template that is invalid, and tests the others", async () => {
    writeFiles(folder, {
      "broken/template.json": textTemplate("Broken", "{{ root.number"),
      "memo/template.json": '{ "name": "Memo", }',
      "note/template.json": Buffer.from(
        '{ "name": "Gr\u00f6\u00dfe" }',
        "latin1",
      ),
    });
    const { code, stdout, stderr } = await run();
    expect(code).to.equal(1);
    expect(stdout).to.include("failed   broken/sample: 1 error\n");
    expect(stdout).to.include("failed   memo/sample: 1 error\n");
    expect(stdout).to.include("passed   letter/sample: 1 page\n");
    expect(stderr).to.match(/broken\/template\.json:\d+:\d+: error: /);
    expect(stderr).to.include(
      "memo/template.json:1:19: error: JSON must not have a comma before a closing bracket.",
    );
    expect(stderr).to.include(
      "note/template.json: error: The file note/template.json is not UTF-8: the byte 0xF6 at position 13 ",
    );
  });
});
