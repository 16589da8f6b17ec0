import { expect } from "chai";
import { before, describe, it } from "mocha";
import { cliOn, createOrganization, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { useReceiver, verified } from "../support/webhooks.js";

describe("platen webhook", () => {
  const receiver = useReceiver();
  const cli = cliOn(suiteFolder(), {
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  });
  let org: string[] = [];
  let id = "";
  let secret = "";
  before(async () => {
    org = ["--org", await createOrganization(cli)];
    const options = ["--url", receiver.url, "--events", "documents.completed"];
    const endpoint = await json(cli, "webhook", "create", ...org, ...options);
    ({ id = "", secret = "" } = endpoint);
  });

  it("sends a test and prints its outcome", async () => {
    const { code, stdout } = await cli("webhook", "test", id, ...org);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^Delivered: the receiver answered 204 after/);
    const [arrived] = receiver.received;
    if (!arrived) throw new Error("nothing arrived");
    expect(arrived.type).to.equal("webhook.test");
    verified(secret, arrived);
  });

  it("rotates the secret and prints only the new one on stdout, so that it can be piped", async () => {
    const command = ["rotate-secret", id, ...org, "--revoke-now"];
    const { stdout } = await cli("webhook", ...command);
    expect(stdout)
      .to.match(/^whsec_\S+\n$/)
      .and.not.include(secret);
  });

  it("disables an endpoint, lists it and enables it", async () => {
    await cli("webhook", "disable", id, ...org);
    const list = await cli("webhook", "list", ...org);
    expect(list.stdout).to.include(id).and.include("disabled: Disabled by");
    await cli("webhook", "enable", id, ...org);
    const again = await cli("webhook", "list", ...org);
    expect(again.stdout).to.include("enabled");
  });

  it("replays the deliveries of a time range and requires --since", async () => {
    const since = ["--since", "2026-01-01T00:00:00Z"];
    const done = await cli("webhook", "replay", id, ...org, ...since, "--json");
    expect(JSON.parse(done.stdout)).to.deep.equal({ count: 0 });
    const { code, stderr } = await cli("webhook", "replay", id, ...org);
    expect(code).to.equal(1);
    expect(stderr).to.include("--since");
  });
});
