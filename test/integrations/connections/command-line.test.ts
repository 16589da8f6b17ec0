import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pluginFolder } from "../../support/plugin-folder.js";
import { usePlatformServer } from "../../support/records.js";
import { cliOn, createOrganization, json } from "../../support/store-cli.js";
import { suiteFolder } from "../../support/store-folder.js";

describe("platen connection", () => {
  const server = usePlatformServer();
  const data = suiteFolder();
  const file = join(data, "credentials.json");
  const cli = cliOn(data, {
    PLATEN_PLUGIN_FOLDER: pluginFolder({ name: "ledger" }),
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  });
  let org: string[] = [];
  let id = "";
  before(async () => {
    org = ["--org", await createOrganization(cli)];
    const credentials = { url: server.url, token: "kept to itself" };
    writeFileSync(file, JSON.stringify(credentials));
  });

  it("adds a connection from a file and never prints its secrets", async () => {
    const named = ["--platform=ledger", "--name=Orders", ...org];
    const from = `--credentials=${file}`;
    const added = await json(cli, "connection", "add", ...named, from);
    id = added.id ?? "";
    expect(added.state).to.equal("untested");
    const { stdout } = await cli("connection", "list", ...org, "--json");
    expect(stdout).to.contain(server.url).and.not.contain("kept to itself");
  });

  it("tests a connection and exits with 1 if it does not work", async () => {
    server.answer = (_request, response) => response.end('{"name":"Ada"}');
    const good = await cli("connection", "test", id, ...org);
    expect(good).to.deep.include({ code: 0, stdout: "It works, as Ada.\n" });
    server.answer = (_request, response) => response.writeHead(401).end("{}");
    const bad = await cli("connection", "test", id, ...org);
    expect(bad.code).to.equal(1);
    expect(bad.stdout).to.contain("Make a new one.");
  });

  it("lists a connection without its plugin, with that reason", async () => {
    const bare = cliOn(data);
    const { stdout } = await bare("connection", "list", ...org);
    expect(stdout).to.contain(id).and.contain('"ledger" is not installed');
    const doctor = await bare("plugin", "doctor");
    expect(doctor.code).to.equal(1);
    expect(doctor.stdout).to.contain(`Connection ${id} (Orders)`);
    const again = await cli("connection", "list", ...org, "--json");
    expect(again.stdout).to.contain('"problem":null');
  });
});
