import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { ApiKeys, CallerCache, operator } from "../../core/accounts/index.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { einvoiceDefinition, INVOICE } from "../support/einvoices.js";
import { useService } from "../support/service.js";
import { cliOn, createOrganization, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { definition, publish } from "../support/store.js";

const PDF = "%PDF-";

describe("platen render --org", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);
  const out = (name: string) => join(folder, name);
  let org = "";
  let template = "";

  before(async () => {
    org = await createOrganization(cli);
    const file = out("letter.json");
    await writeFile(file, JSON.stringify({ name: "Letter", definition }));
    const imported = await json(cli, "template", "import", file, "--org", org);
    template = imported.id ?? "";
    await writeFile(out("ada.json"), '{ "name": "Ada" }');
  });
  const render = (...args: string[]) => cli("render", "--org", org, ...args);

  it("writes a PDF that is stored and counted like any document", async () => {
    const file = out("ada.pdf");
    const args = ["--template", template, "--data", out("ada.json")];
    const { code, stdout, stderr } = await render(...args, "--out", file);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    expect(stdout).to.match(/^Rendered .*ada\.pdf \(\d+ bytes\)\.\n$/);
    expect((await readFile(file, "latin1")).startsWith(PDF)).to.equal(true);
    const [row] = JSON.parse((await cli("org", "list", "--json")).stdout);
    expect(row.usage.documents).to.equal(1);
    const drafts = (await readdir(folder)).filter((name) =>
      name.endsWith(".tmp"),
    );
    expect(drafts).to.deep.equal([]);
  });

  it("reads the record from stdin and writes the document to stdout", async () => {
    const piped = cliOn(folder, {}, { input: '{ "name": "Eve" }' });
    const args = ["--data", "-", "--out", "-", "--format", "html"];
    const letter = ["--org", org, "--template", "Letter", "--test"];
    const { code, stdout } = await piped("render", ...letter, ...args);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^<!doctype html>/)
      .and.include("Hello Eve");
  });

  it("writes the e-invoice of a template to a file that ends in .xml", async () => {
    const invoice = out("invoice.json");
    const name = "Invoice";
    const content = { name, definition: einvoiceDefinition("xrechnung-ubl") };
    await writeFile(invoice, JSON.stringify(content));
    await cli("template", "import", invoice, "--org", org);
    await writeFile(out("record.json"), JSON.stringify(INVOICE));
    const file = out("invoice.xml");
    const args = ["--template", name, "--data", out("record.json")];
    const { code, stderr } = await render(...args, "--out", file);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    expect(await readFile(file, "utf8")).to.contain(
      "<cbc:ID>RE-2026-0042</cbc:ID>",
    );
  });

  it("makes a PDF that conforms to the standards of --conformance", async () => {
    const file = out("archive.pdf");
    const letter = ["--template", template, "--data", out("ada.json")];
    const args = [...letter, "--out", file, "--conformance"];
    const { code, stderr } = await render(...args, "pdf/a-3u, pdf/ua-1");
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    const bytes = await readFile(file, "latin1");
    expect(bytes)
      .to.include("<pdfaid:part>3</pdfaid:part>")
      .and.include("<pdfuaid:part>1</pdfuaid:part>");
  });

  it("does not write a PDF to a terminal", async () => {
    const atTerminal = cliOn(folder, {}, { isTerminal: true });
    const args = ["--org", org, "--template", template, "--out", "-"];
    const { code, stdout, stderr } = await atTerminal("render", ...args);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
    expect(stderr).to.include("not printed on a terminal");
  });
});

describe("platen render --url", () => {
  const service = useService();
  const folder = suiteFolder();
  const out = (name: string) => join(folder, name);
  let caller: TestCaller;
  let template = "";

  before(async () => {
    caller = await newCaller(service);
    template = await publish(service.store, caller);
  });
  const renderWith = (key: string, input = "{}") => {
    const cli = cliOn(folder, { PLATEN_API_KEY: key }, { input });
    return (...args: string[]) =>
      cli("render", "--url", `${service.url}/`, ...args);
  };

  it("writes html to stdout, with the report's warnings on stderr", async () => {
    const args = ["--template", template, "--out", "-", "--format", "html"];
    const { stdout, stderr } = await renderWith(caller.key)(...args);
    expect(stdout)
      .to.match(/^<!doctype html>/)
      .and.include("Hello");
    expect(stderr).to.match(/^warning: \S+: The data has no root\.name/);
  });

  it("prints the number of warnings when the key may not read them", async () => {
    const keys = new ApiKeys(service.store, new CallerCache());
    const { organizationId } = caller;
    const scopes = ["documents:write"];
    const { key } = await keys.create(organizationId, { scopes }, operator);
    const args = ["--template", template, "--out", out("few.html")];
    const { code, stderr } = await renderWith(key)(...args);
    expect(code).to.equal(0);
    expect(stderr).to.include("1 warning").and.include("documents:read");
    // It opens no database of its own.
    expect(await readdir(folder)).to.deep.equal(["few.html"]);
  });
});
