import { expect } from "chai";
import { before, describe, it } from "mocha";
import { cliOn, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

describe("platen org, user and key", () => {
  const cli = cliOn(suiteFolder());
  let org = "";
  before(async () => {
    const made = await json(
      cli,
      "org",
      "create",
      "--name",
      "Acme",
      "--plan",
      "pro",
    );
    expect(made).to.have.all.keys("id", "name", "plan", "createdAt");
    org = made.id ?? "";
  });

  it("print one line of JSON and nothing else with --json", async () => {
    const { stdout, stderr } = await cli("org", "list", "--json");
    expect(stderr).to.equal("");
    expect(stdout).to.match(/^\[.*\]\n$/);
    expect(JSON.parse(stdout)[0]).to.include({ id: org, plan: "pro" });
  });

  it("print a table without --json", async () => {
    const { stdout } = await cli("org", "list");
    const [head, line] = stdout.split("\n");
    expect(head).to.match(/^ID +NAME +PLAN +DOCUMENTS +CREATED$/);
    expect(line).to.include(org).and.include("Acme");
  });

  it("create a key that is shown once, then list and revoke it", async () => {
    const person = ["--name", "Ada", "--email", "ada@example.com"];
    const user = await json(cli, "user", "create", "--org", org, ...person);
    const options = ["--scopes", "all", "--expires", "2099-12-31"];
    const owner = ["--org", org, "--user", user.id ?? "", "--name", "Shop"];
    const made = await json(cli, "key", "create", ...owner, ...options);
    expect(made).to.include({ userId: user.id, name: "Shop" });
    expect(made.expiresAt).to.equal("2099-12-31T23:59:59.999Z");
    expect(made.scopes).to.include("documents:write");
    const listed = await cli("key", "list", "--org", org);
    expect(listed.stdout).to.include(made.prefix).and.not.include(made.key);
    const revoked = await json(cli, "key", "revoke", made.id ?? "");
    expect(revoked.revokedAt).to.be.a("string");
  });

  it("print only the new key on stdout, so that it can be piped", async () => {
    const scopes = ["--scopes", "templates:read,documents:read"];
    const made = await cli("key", "create", "--org", org, ...scopes);
    const { stdout, stderr } = made;
    expect(stdout).to.match(/^plk_\S+\n$/);
    expect(stderr).to.include("shown this once");
  });
});
