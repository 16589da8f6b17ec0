import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import { z } from "zod";
import { freePort } from "../support/free-port.js";
import { newCaller, replies, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { type Cli, cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import {
  commitAll,
  drawing,
  readFiles,
  textTemplate,
  writeFiles,
} from "../support/template-files.js";

const letter = textTemplate("Letter", "Letter {{ root.number }}");
const invoice = {
  name: "Invoice",
  definition: {
    schema: [{ id: "root", fields: [{ name: "number", type: "String" }] }],
    components: [
      { type: "image", src: "assets/logo.svg", alt: "Acme" },
      { type: "text", text: "Invoice {{ root.number }}" },
    ],
  },
};

const componentList = z.array(z.looseObject({ type: z.string() }));

describe("platen template push, pull and diff", () => {
  const service = useService();
  const home = suiteFolder();
  let caller: TestCaller;
  let folder = "";
  let platen: Cli;
  let count = 0;

  /** A templates folder of its own organization. */
  beforeEach(async () => {
    caller = await newCaller(service);
    folder = newFolder();
    platen = cliOn(home, { ACME_KEY: caller.key });
  });
  const newFolder = () => {
    count += 1;
    const path = join(home, `templates-${count}`);
    const profile = { url: service.url, keyVariable: "ACME_KEY" };
    const config = { profiles: { staging: profile } };
    writeFiles(path, { "platen.config.json": config });
    return path;
  };
  const push = (...args: string[]) =>
    platen("template", "push", folder, ...args);
  const pull = (...args: string[]) =>
    platen("template", "pull", folder, ...args);
  const diff = () => platen("template", "diff", folder);
  const listTemplates = async () => {
    const response = await caller.get("/api/templates");
    const { data } = await replies.templates(response);
    return data.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  };
  const readTemplate = async (name: string) => {
    const found = (await listTemplates()).find((one) => one.name === name);
    const response = await caller.get(`/api/templates/${found?.id}`);
    return replies.template(response);
  };
  /** What somebody does in the studio. */
  const changeText = async (name: string, text: string) => {
    const { id, definition } = await readTemplate(name);
    const [first] = componentList.parse(definition.components);
    const components = [{ ...first, text }];
    const response = await caller.put(`/api/templates/${id}/definition`, {
      definition: { ...definition, components },
      createVersion: true,
      versionNote: "Wording",
    });
    expect(response.status).to.equal(200);
  };

  it("creates what is new with its files and samples, then finds nothing to do, and pulls the same into an empty folder", async () => {
    writeFiles(folder, {
      "letter/template.json": letter,
      "invoice/template.json": invoice,
      "invoice/sample.json": { number: "2026-1" },
      "invoice/samples/long.json": { number: "2026-1-1-1-1-1" },
      "invoice/assets/logo.svg": drawing("navy"),
      "partials/bank.json": {
        title: "Bank",
        components: [{ type: "text", text: "IBAN" }],
      },
    });
    const pushed = await push();
    expect(pushed.stderr).to.equal("");
    expect(pushed.stdout).to.equal(
      "create     partials/bank\ncreate     invoice\ncreate     letter\npushed: 3 of 3, 1 files.\n",
    );
    const { definition } = await readTemplate("Invoice");
    expect(definition.sample).to.deep.equal({ number: "2026-1" });
    expect(definition.samples).to.deep.equal({
      long: { number: "2026-1-1-1-1-1" },
    });
    expect(componentList.parse(definition.components)[0])
      .to.have.property("src")
      .match(/^asset:/);
    const again = await push();
    expect(again.stdout).to.include("unchanged  invoice\n");
    expect(again.stdout).to.include("pushed: 0 of 3.");
    const same = { code: 0, stdout: "", stderr: "" };
    expect(await diff()).to.include(same);
    const before = await readFiles(folder);
    expect(await pull()).to.include({ code: 0, stderr: "" });
    expect(await readFiles(folder)).to.deep.equal(before);
    folder = newFolder();
    const pulled = await pull();
    expect(pulled).to.include({ code: 0, stderr: "" });
    expect(pulled.stdout).to.include("write      invoice\n");
    const files = await readFiles(folder);
    expect(files).to.have.all.keys(...Object.keys(before));
    const text = Buffer.from(files["invoice/template.json"] ?? "", "base64");
    expect(text.toString()).to.include('"src": "assets/logo.svg"');
    expect(await diff()).to.include(same);
    expect((await push()).stdout).to.include("pushed: 0 of 3.");
  });

  it("keeps HTML, style sheet and assets in files of their own, there and back", async () => {
    const html =
      '<img src="assets/logo.svg" alt="Acme" />\n<h1>{{ root.number }}</h1>\n';
    const definition = {
      schema: [{ id: "root", fields: [{ name: "number", type: "String" }] }],
    };
    writeFiles(folder, {
      "receipt/template.html": html,
      "receipt/style.css": "h1 { background: url(../assets/dot.svg); }\n",
      "receipt/template.json": { definition },
      "receipt/sample.json": { number: "2026-1" },
      "receipt/assets/logo.svg": drawing("olive"),
      "assets/dot.svg": drawing("gray"),
      "mail/template.mjml":
        "<mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>\n",
    });
    const pushed = await push();
    expect(pushed.stderr).to.equal("");
    expect(pushed.stdout).to.include("pushed: 2 of 2, 2 files.");
    expect(
      (await listTemplates()).map(({ templateType }) => templateType),
    ).to.deep.equal(["email", "document"]);
    const before = await readFiles(folder);
    expect((await pull()).code).to.equal(0);
    expect(await readFiles(folder)).to.deep.equal(before);
    expect(await diff()).to.include({ code: 0, stdout: "" });
    folder = newFolder();
    expect((await pull()).code).to.equal(0);
    const pulled = await readFiles(folder);
    expect(pulled["receipt/template.html"]).to.equal(
      before["receipt/template.html"],
    );
    expect(pulled).to.include.keys(
      "receipt/style.css",
      "receipt/assets/dot.svg",
      "mail/template.mjml",
    );
    expect(await diff()).to.include({ code: 0, stdout: "" });
  });

  it("uploads a changed file once, and an equal one not at all", async () => {
    writeFiles(folder, {
      "invoice/template.json": invoice,
      "invoice/assets/logo.svg": drawing("red"),
      "copy/template.json": { ...invoice, name: "Copy" },
      "copy/assets/logo.svg": drawing("red"),
    });
    expect((await push()).stdout).to.include("2 of 2, 1 files.");
    writeFiles(folder, { "invoice/assets/logo.svg": drawing("blue") });
    const differences = await diff();
    expect(differences.code).to.equal(1);
    expect(differences.stdout).to.include(
      "The file invoice/assets/logo.svg is not on the service.",
    );
    const pushed = await push();
    expect(pushed.stdout).to.include("update     invoice\n");
    expect(pushed.stdout).to.include("pushed: 1 of 2, 1 files.");
  });

  it("refuses to overwrite what somebody else changed, says who and when, and shows it", async () => {
    writeFiles(folder, { "letter/template.json": letter });
    await push();
    await changeText("Letter", "From the studio");
    const mine = textTemplate("Letter", "From git");
    writeFiles(folder, { "letter/template.json": mine });
    const refused = await push();
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(
      /^conflict {3}letter: It was changed at \S+ on [\d-]+ [\d:]+ UTC by .+ \(version \d: Wording\), after the last push or pull\./,
    );
    expect(refused.stdout).to.equal("Nothing was pushed.\n");
    const shown = await diff();
    expect(shown.stdout).to.match(/^-.*"text": "From the studio"/m);
    expect(shown.stdout).to.match(/^\+.*"text": "From git"/m);
    expect((await pull()).stderr).to.match(
      /^conflict {3}letter: Its files and/,
    );
    expect((await push("--force")).code).to.equal(0);
    const { definition } = await readTemplate("Letter");
    expect(componentList.parse(definition.components)[0]).to.include({
      text: "From git",
    });
  });

  it("pulls a change when the files are as they were", async () => {
    writeFiles(folder, { "letter/template.json": letter });
    await push();
    await changeText("Letter", "From the studio");
    const pulled = await pull();
    expect(pulled.stdout).to.include("write      letter\n");
    const files = await readFiles(folder);
    const text = Buffer.from(files["letter/template.json"] ?? "", "base64");
    expect(text.toString()).to.include("From the studio");
    expect(await diff()).to.include({ code: 0, stdout: "" });
  });

  it("pushes over an earlier commit of the same repository without its lock file", async () => {
    writeFiles(folder, {
      "letter/template.json": letter,
      "partials/bank.json": { components: [{ type: "text", text: "One" }] },
      ".gitignore": "platen.lock.json\n",
    });
    commitAll(folder, "Add a letter");
    await push();
    const mine = textTemplate("Letter", "Second");
    writeFiles(folder, {
      "letter/template.json": mine,
      "partials/bank.json": { components: [{ type: "text", text: "Two" }] },
    });
    commitAll(folder, "Change the letter");
    await rm(join(folder, "platen.lock.json"));
    const pushed = await push();
    expect(pushed.stderr).to.equal("");
    expect(pushed.stdout).to.include("update     letter\n");
    expect(pushed.stdout).to.include("update     partials/bank\n");
    const { id } = await readTemplate("Letter");
    const versions = await replies.versions(
      await caller.get(`/api/templates/${id}/versions`),
    );
    expect(versions[0]?.description).to.match(
      /^Change the letter \([\da-f]{7,}\)$/,
    );
    await changeText("Letter", "From the studio");
    await rm(join(folder, "platen.lock.json"));
    expect((await push()).stderr).to.include("conflict   letter");
  });

  it("pushes nothing when one template of several is invalid, and says where", async () => {
    const broken = textTemplate("Broken", "{{ root.number | curency }}");
    writeFiles(folder, {
      "letter/template.json": letter,
      "broken/template.json": broken,
    });
    const refused = await push();
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(
      /^broken\/template\.json:\d+:\d+: error: \$\.components\[0\]\.text: Unknown filter "curency"\. Did you mean currency\?\n$/,
    );
    expect(refused.stdout).to.include("invalid    broken\n");
    expect(await listTemplates()).to.deep.equal([]);
  });

  it("says what it would do with --dry-run, and does nothing", async () => {
    writeFiles(folder, {
      "invoice/template.json": invoice,
      "invoice/assets/logo.svg": drawing("green"),
    });
    const { stdout } = await push("--dry-run");
    expect(stdout).to.equal(
      "create     invoice\nWould be pushed: 1 of 1, 1 files.\n",
    );
    expect(await listTemplates()).to.deep.equal([]);
    expect(await readFiles(folder)).not.to.have.property("platen.lock.json");
  });

  it("refuses a template that was moved to the trash, until --force creates it again", async () => {
    writeFiles(folder, { "letter/template.json": letter });
    await push();
    const { id } = await readTemplate("Letter");
    await caller.delete(`/api/templates/${id}`);
    const refused = await push();
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/^conflict {3}letter: It was moved to/);
    expect((await push("--force")).stdout).to.include("create     letter\n");
    expect((await readTemplate("Letter")).id).not.to.equal(id);
  });

  it("refuses to replace a template of the same name that it does not know", async () => {
    await caller.post("/api/templates", { name: "Letter" });
    writeFiles(folder, { "letter/template.json": letter });
    const { code, stderr } = await push();
    expect(code).to.equal(1);
    expect(stderr).to.include("has a template of this name already");
  });

  it("says which profile has the wrong key, and which service does not answer", async () => {
    writeFiles(folder, { "letter/template.json": letter });
    platen = cliOn(home, { ACME_KEY: "plk_wrong" });
    const wrong = await push();
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.include(
      'The profile "staging" reads the key from ACME_KEY.',
    );
    platen = cliOn(home, {});
    expect((await push()).stderr).to.include(
      'The profile "staging" needs an API key: set ACME_KEY.',
    );
    const url = `http://127.0.0.1:${await freePort()}`;
    const profiles = { staging: { url, keyVariable: "ACME_KEY" } };
    writeFiles(folder, { "platen.config.json": { profiles } });
    platen = cliOn(home, { ACME_KEY: caller.key });
    const away = await push();
    expect(away.code).to.equal(1);
    expect(away.stderr).to.match(
      /^platen: The service of the profile "staging" does not answer\. .*127\.0\.0\.1/,
    );
  });

  it("refuses a key in the configuration, and an unknown profile", async () => {
    writeFiles(folder, { "letter/template.json": letter });
    const file = join(folder, "platen.config.json");
    const unknown = await push("--profile", "stagin");
    expect(unknown.stderr).to.include(
      'has no profile "stagin". Did you mean "staging"?',
    );
    const profile = { url: service.url, keyVariable: "plk_abc-def" };
    await writeFile(file, JSON.stringify({ profiles: { staging: profile } }));
    expect((await push()).stderr).to.include(
      "must be the name of an environment variable with the API key",
    );
    await writeFile(file, '{ "profiles": {}, }');
    expect((await push()).stderr).to.include(
      "platen.config.json:1:19: error: JSON must not have a comma before a closing bracket.",
    );
  });

  it("prints a JSON Schema that accepts template files and finds mistakes in them", async () => {
    const { stdout } = await platen("template", "schema");
    const accepts = new Ajv2020({ strict: false }).compile(JSON.parse(stdout));
    expect(accepts(invoice), JSON.stringify(accepts.errors)).to.equal(true);
    expect(accepts({ $schema: "../template.schema.json" })).to.equal(true);
    const components = [{ type: "tabel" }];
    expect(accepts({ definition: { components } })).to.equal(false);
    expect(accepts({ ...invoice, components })).to.equal(false);
  });
});
