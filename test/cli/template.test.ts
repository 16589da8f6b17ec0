import { writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { cliOn, createOrganization } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { definition } from "../support/store.js";

function repeated(collectionId: string): object {
  const collection = { collectionId, path: "root.lines" };
  const components = [{ id: "lines", type: "text", text: "x", collection }];
  return { ...definition, components };
}

describe("platen template", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);
  const file = join(folder, "letter.json");
  let org = "";
  before(async () => {
    org = await createOrganization(cli);
  });
  const importIt = async (template: unknown) => {
    await writeFile(file, JSON.stringify(template));
    return cli("template", "import", file, "--org", org, "--json");
  };

  it("imports a file, lists it, and exports a file that can be imported again", async () => {
    const { stdout } = await importIt({ name: "Letter", definition });
    const made = JSON.parse(stdout);
    expect(made).to.have.all.keys("id", "version").and.include({ version: 1 });
    const copy = join(folder, "copy.json");
    await cli("template", "export", made.id, "-o", copy);
    const exported = JSON.parse(await readFile(copy, "utf8"));
    expect(exported).to.include({ name: "Letter", templateType: "document" });
    expect((await importIt(exported)).code).to.equal(0);
    const listed = await cli("template", "list");
    expect(listed.stdout.match(/Letter/g)).to.have.lengthOf(2);
  });

  it("takes ids in upper case", async () => {
    const { stdout } = await importIt({ name: "Upper", definition });
    const { id } = JSON.parse(stdout);
    const upper = [id.toUpperCase(), "--org", org.toUpperCase()];
    const exported = await cli("template", "export", ...upper);
    expect(exported.stderr).to.equal("");
    expect(JSON.parse(exported.stdout).name).to.equal("Upper");
    const template = ["--template", id.toUpperCase()];
    const owner = [`--org=${org.toUpperCase()}`, "--json"];
    const replaced = await cli(
      "template",
      "import",
      file,
      ...owner,
      ...template,
    );
    expect(replaced.stderr).to.equal("");
    expect(JSON.parse(replaced.stdout).id).to.equal(id);
  });

  it("rejects an invalid template with every problem and its JSON path, each once", async () => {
    const text = "{{ root.total | curency }}";
    const components = [{ type: "txet" }, { type: "text", text }];
    const broken = { name: "L", definition: { ...definition, components } };
    const { code, stdout, stderr } = await importIt(broken);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
    const { error, problems } = JSON.parse(stderr);
    expect(error).to.include("2 problems");
    const paths = problems.map(({ path }: { path: string }) => path);
    expect(paths).to.deep.equal([
      "$.components[0].type",
      "$.components[1].text",
    ]);
    const importing = ["template", "import", file, "--org", org];
    const words = (await cli(...importing)).stderr;
    const problem = '.text: Unknown filter "curency". Did you mean currency?';
    expect(words).to.match(/^platen: The template has 2 problems\.\n/);
    expect(words.split(`  $.components[1]${problem}\n`)).to.have.length(2);
    expect(words).to.include("  $.components[0].type: ");
    components.shift();
    await importIt(broken);
    const one = await cli(...importing);
    expect(one.stderr).to.equal(`platen: $.components[0]${problem}\n`);
  });

  it("replaces a template's definition but rejects another collectionId", async () => {
    const first = { name: "Lines", definition: repeated("line") };
    const { id = "" } = JSON.parse((await importIt(first)).stdout);
    const replace = async (next: object, ...more: string[]) => {
      await writeFile(file, JSON.stringify({ ...first, definition: next }));
      const into = ["--org", org, "--template", id, "--json", ...more];
      return cli("template", "import", file, ...into);
    };
    const rejected = await replace(repeated("row"));
    expect(rejected.code).to.equal(1);
    expect(JSON.parse(rejected.stderr).problems[0]).to.include({
      path: "$.components[0].collection.collectionId",
      code: "changed_collection_id",
    });
    const next = { ...repeated("line"), locale: "de-DE" };
    const made = await replace(next, "--note", "German");
    expect(JSON.parse(made.stdout)).to.eql({ id, version: 2 });
    const { stdout } = await cli("template", "export", id);
    expect(JSON.parse(stdout).definition).to.eql(next);
  });

  it("reports the position of a JSON syntax error and the path of a missing file", async () => {
    await writeFile(file, '{\n  "name": "L",\n}');
    const broken = await cli("template", "import", file, "--org", org);
    expect(broken.code).to.equal(1);
    expect(broken.stderr)
      .to.include("is not valid JSON")
      .and.include("(line 3, column 1)");
    const none = await cli("template", "import", "/nowhere", "--org", org);
    expect(none.stderr).to.include("/nowhere cannot be read");
  });

  describe("validate", () => {
    const lines = [
      { id: "root", fields: [{ name: "v", type: "Number", required: true }] },
    ];
    let id = "";
    before(async () => {
      const template = {
        name: "L",
        definition: { ...definition, schema: lines },
      };
      id = JSON.parse((await importIt(template)).stdout).id;
    });
    const validate = async (data: unknown, ...args: string[]) => {
      const records = join(folder, "records.json");
      await writeFile(records, JSON.stringify(data));
      return cli("template", "validate", id, records, ...args);
    };

    it("accepts a record from a file or stdin", async () => {
      const { code, stdout, stderr } = await validate({ v: 1 });
      expect({ code, stdout, stderr }).to.deep.equal({
        code: 0,
        stdout: "The data is valid.\n",
        stderr: "",
      });
      const piped = cliOn(
        folder,
        {},
        { input: '[{ "v": 1 }, { "v": "1,5" }]' },
      );
      const rejected = await piped("template", "validate", id, "-");
      expect(rejected.code).to.equal(1);
      expect(rejected.stderr).to.match(/^\$\[1\]\.v: Expected a number/);
    });

    it("exits with 1 for invalid records, with every problem and its path in the file", async () => {
      const { code, stdout, stderr } = await validate([
        { v: 1 },
        {},
        { v: "x" },
      ]);
      expect(code).to.equal(1);
      expect(stdout).to.equal("The data is invalid: 2 problems.\n");
      expect(stderr).to.match(
        /^\$\[1\]\.v: The field is required.*\n\$\[2\]\.v: /,
      );
      const printed = await validate({}, "--json", "--org", org);
      expect(printed).to.include({ code: 1, stderr: "" });
      const { valid, problems } = JSON.parse(printed.stdout);
      expect(valid).to.equal(false);
      expect(problems[0]).to.include({ path: "$.v", code: "missing_value" });
    });

    it("lists unknown fields with --unknown-fields, which make the data invalid with error", async () => {
      const data = { v: 1, w: 2 };
      expect((await validate(data)).stderr).to.equal("");
      const warned = await validate(data, "--unknown-fields", "warn");
      expect(warned).to.include({ code: 0, stdout: "The data is valid.\n" });
      expect(warned.stderr).to.match(/^\$\.w: /);
      const rejected = await validate(data, "--unknown-fields", "error");
      expect(rejected.code).to.equal(1);
    });

    it("checks against the version of --version, and refuses a template of another organization", async () => {
      expect((await validate({ v: 1 }, "--version", "1")).code).to.equal(0);
      const absent = await validate({ v: 1 }, "--version", "7");
      expect(absent.code).to.equal(1);
      expect(absent.stderr).to.include("no version 7");
      const other = await createOrganization(cli, "Other");
      const foreign = await validate({ v: 1 }, "--org", other);
      expect(foreign.code).to.equal(1);
      expect(foreign.stderr).to.include("There is no such template");
    });
  });
});
