import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { pluginFolder } from "../../support/plugin-folder.js";
import { cliOn, json } from "../../support/store-cli.js";
import { suiteFolder } from "../../support/store-folder.js";

const template = {
  name: "Letter",
  definition: {
    schema: [{ id: "root", fields: [{ name: "Name", type: "String" }] }],
    components: [{ type: "text", text: "Dear {{ root.Name }}" }],
  },
};
const credentials = { url: "http://127.0.0.1:1", token: "kept to itself" };

describe("platen link", () => {
  const data = suiteFolder();
  const cli = cliOn(data, {
    PLATEN_PLUGIN_FOLDER: pluginFolder({ name: "ledger" }),
    PLATEN_BASE_URL: "https://documents.example.com",
  });
  const file = (name: string, content: object) => {
    const path = join(data, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  let org: string[] = [];
  let create: string[] = [];
  before(async () => {
    const named = ["--name", "A", "--plan", "premium"];
    const { id = "" } = await json(cli, "org", "create", ...named);
    org = ["--org", id];
    const letter = file("letter.json", template);
    const imported = await json(cli, "template", "import", letter, ...org);
    const saved = ["--credentials", file("credentials.json", credentials)];
    const what = ["--platform", "ledger", "--name", "Ledger", ...saved];
    await cli("connection", "add", ...org, ...what);
    const place = ["--platform", "ledger", "--table", "t1"];
    create = [
      "link",
      "create",
      ...org,
      "--template",
      imported.id ?? "",
      ...place,
    ];
  });

  it("creates a link, lists it without its address, and revokes it", async () => {
    const { stdout, stderr } = await cli(...create, "--expires", "2090-01-31");
    expect(stdout, stderr).to.match(
      /https:\/\/documents\.example\.com\/run\/[\w.-]{300,}\n$/,
    );
    const sentence =
      /^Link (\S+) renders “Letter” from records of the table “Table of none”/;
    const [, id = ""] = sentence.exec(stdout) ?? [];
    const revoked = await json(cli, "link", "revoke", id, ...org);
    expect(revoked).to.include({ id, state: "revoked" });
    const list = await cli("link", "list", ...org);
    expect(list.stdout).to.match(
      new RegExp(`${id}.* revoked +2090-01-31T23:59`),
    );
    expect(list.stdout).to.not.contain("/run/");
  });

  describe("with --records", () => {
    let shop: string[] = [];
    before(async () => {
      mkdirSync(join(data, "databases"), { recursive: true });
      const database = new Database(join(data, "databases", "shop.sqlite"));
      database.exec(
        "CREATE TABLE people (id INTEGER PRIMARY KEY, Name TEXT, letter BLOB);" +
          "CREATE VIEW elders AS SELECT id, Name FROM people;",
      );
      database.close();
      const connection = { engine: "sqlite", file: "shop.sqlite" };
      const path = file("shop.json", { ...connection, writable: true });
      const what = ["--platform", "sql", "--name", "Shop"];
      await cli("connection", "add", ...org, ...what, "--credentials", path);
      const [templateId = ""] = create.slice(create.indexOf("--template") + 1);
      const place = ["--platform", "sql", "--table", "people"];
      shop = ["link", "create", ...org, "--template", templateId, ...place];
      shop.push("--field", "letter");
    });

    const viewName = { viewName: "elders" };
    const selections: [object, RegExp][] = [
      [{ viewId: "elders" }, /from the view “elders” of the table “people”/],
      [{ filter: { Name: "Ada" } }, /from all records that match the filter/],
      [{ emptyAttachment: true }, /from all records without a file/],
    ];
    for (const [records, description] of selections)
      it(`creates a link that takes ${JSON.stringify(records)}`, async () => {
        const wanted = ["--records", JSON.stringify(records)];
        const { stdout, stderr } = await cli(...shop, ...wanted);
        expect(stdout, stderr).to.match(description);
        expect(stdout).to.not.contain("recordId");
        const made = await cli(...shop, ...wanted, "--json");
        expect(JSON.parse(made.stdout)).to.deep.include({
          records: { ...records, ...("viewId" in records && viewName) },
        });
      });
    for (const wrong of ["all", "{}", '{"viewId":"a","emptyAttachment":true}'])
      it(`rejects ${wrong}`, async () => {
        const { code, stderr } = await cli(...shop, "--records", wrong);
        expect(code).to.equal(2);
        expect(stderr).to.contain('{ "emptyAttachment": true }');
      });

    it("rejects a view that does not exist", async () => {
      const wanted = ["--records", '{"viewId":"eldest"}'];
      const { code, stderr } = await cli(...shop, ...wanted);
      expect(code).to.equal(1);
      expect(stderr).to.contain('has no view "eldest"');
    });
  });

  it("rejects a link that would not work", async () => {
    const { code, stderr } = await cli(...create, "--field", "Name");
    expect(code).to.equal(1);
    expect(stderr).to.contain("does not accept files");
  });
});
