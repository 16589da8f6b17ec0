import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
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

  it("rejects a link that would not work", async () => {
    const { code, stderr } = await cli(...create, "--field", "Name");
    expect(code).to.equal(1);
    expect(stderr).to.contain("does not accept files");
  });
});
