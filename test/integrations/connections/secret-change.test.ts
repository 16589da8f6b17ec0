import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openStore } from "../../../core/storage/database/index.js";
import { listActs } from "../../support/audit.js";
import { issueCertificate, toPkcs12 } from "../../support/certificates.js";
import { pluginFolder } from "../../support/plugin-folder.js";
import { silentLog } from "../../support/recording-log.js";
import { usePlatformServer } from "../../support/records.js";
import { cliOn, createOrganization, json } from "../../support/store-cli.js";
import { suiteFolder } from "../../support/store-folder.js";

const old = "the secret of yesterday, long enough";
const now = "the secret of today, long enough too";

describe("a change of the service's secret", () => {
  const server = usePlatformServer();
  const data = suiteFolder();
  const folder = pluginFolder({ name: "ledger" });
  const withSecrets = (secret: string, previous = "") =>
    cliOn(data, {
      PLATEN_PLUGIN_FOLDER: folder,
      PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
      PLATEN_SECRET: secret,
      PLATEN_PREVIOUS_SECRETS: previous,
    });
  let org: string[] = [];
  let id = "";
  let webhook = "";
  before(async () => {
    const cli = withSecrets(old);
    org = ["--org", await createOrganization(cli)];
    const file = join(data, "credentials.json");
    const credentials = { url: server.url, token: "a token of theirs" };
    writeFileSync(file, JSON.stringify(credentials));
    const named = ["--platform=ledger", "--name=A", ...org];
    const from = `--credentials=${file}`;
    id = (await json(cli, "connection", "add", ...named, from)).id ?? "";
    const url = ["--url", `${server.url}/hook`];
    webhook = (await json(cli, "webhook", "create", ...org, ...url)).id ?? "";
    const certificate = join(data, "certificate.p12");
    writeFileSync(certificate, await toPkcs12(issueCertificate()));
    const password = join(data, "password.txt");
    writeFileSync(password, "secret\n");
    const secret = [`--password-file=${password}`, ...org];
    await json(cli, "certificate", "set", certificate, ...secret);
  });

  it("is reported as a problem and loses nothing if the old secret is not configured", async () => {
    const blind = withSecrets(now);
    const list = await blind("connection", "list", ...org);
    expect(list.stdout).to.contain("PLATEN_PREVIOUS_SECRETS");
    const { code, stdout } = await blind("connection", "rotate-secret");
    expect(code).to.equal(1);
    expect(stdout).to.contain(id).and.contain(webhook);
  });

  it("keeps credentials readable while the old secret is configured", async () => {
    const both = withSecrets(now, old);
    const output = await both("connection", "test", id, ...org);
    expect(output).to.include({ code: 0, stderr: "" });
  });

  it("needs the old secret no more after rotate-secret encrypted everything with the new one", async () => {
    const both = withSecrets(now, old);
    const done = await both("connection", "rotate-secret", "--json");
    expect(JSON.parse(done.stdout)).to.deep.equal({
      connections: { count: 1, unreadable: [] },
      webhooks: { count: 1, unreadable: [] },
      certificates: { count: 1, unreadable: [] },
    });
    const alone = withSecrets(now);
    expect((await alone("connection", "test", id, ...org)).code).to.equal(0);
    const sent = await alone("webhook", "test", webhook, ...org);
    expect(sent.stdout).to.match(/^Delivered/);
    const again = await alone("connection", "rotate-secret");
    expect(again.stdout).to.contain("0 connections, 0 webhook endpoints");
    const file = join(data, "platen.sqlite");
    const store = await openStore({
      database: { kind: "sqlite", file },
      migrate: false,
      log: silentLog,
    });
    const acts = await listActs({ store }, org[1] ?? "", id);
    await store.close();
    expect(acts.map(({ action }) => action)).to.deep.equal([
      "connection.created",
      "connection.resealed",
    ]);
  });
});
