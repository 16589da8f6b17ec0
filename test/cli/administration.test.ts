import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { greatVibes } from "../support/assets.js";
import { EsignHarness, fastSettings, MemoryEsign } from "../support/esign.js";
import { useFakeDocuseal } from "../support/fakes/fake-docuseal.js";
import { useService } from "../support/service.js";
import { emptyPdf } from "../support/signing-documents.js";
import { cliOn, createOrganization, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { useReceiver, verified } from "../support/webhooks.js";

const networks = { PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8" };

describe("the command line of an administrator", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder, networks);
  let org: string[] = [];
  before(async () => {
    org = ["--org", await createOrganization(cli, "Acme")];
  });

  describe("platen asset", () => {
    it("stores a font, prints the family name that styles use, and rejects a damaged one", async () => {
      const file = join(folder, "hand.ttf");
      await writeFile(file, await greatVibes());
      const added = await cli("asset", "add", file, ...org);
      expect(added.stdout).to.contain('font-family: "Great Vibes"');
      await writeFile(file, (await greatVibes()).subarray(0, 400));
      const rejected = await cli("asset", "add", file, ...org);
      expect(rejected.code).to.equal(1);
      expect(rejected.stderr).to.include("The font is damaged");
    });
  });

  describe("platen webhook", () => {
    const receiver = useReceiver();
    let id = "";
    let secret = "";
    before(async () => {
      const options = ["--url", receiver.url, "--events=documents.completed"];
      const made = await json(cli, "webhook", "create", ...org, ...options);
      ({ id = "", secret = "" } = made);
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

    it("replays the deliveries of a time range and requires --since", async () => {
      const replay = ["webhook", "replay", id, ...org];
      const done = await cli(...replay, "--since=2026-01-01T00:00Z", "--json");
      expect(JSON.parse(done.stdout)).to.deep.equal({ count: 0 });
      const { code, stderr } = await cli(...replay);
      expect(code).to.equal(1);
      expect(stderr).to.include("--since");
    });
  });
});

describe("platen signature", () => {
  const service = useService({
    config: {
      outbound: { allowPrivateNetworks: ["127.0.0.0/8"] },
      signatures: fastSettings,
    },
  });
  const cli = cliOn(service.dataFolder, networks);
  const fake = useFakeDocuseal();
  const harness = new EsignHarness(service, new MemoryEsign(), () => ({
    provider: "docuseal",
    credentials: fake.credentials,
  }));
  before(() => harness.open());

  it("lists a request and cancels it, without a warning", async () => {
    const id = await harness.send({ bytes: await emptyPdf() });
    const { externalId } = await harness.waitForStatus(id, "pending");
    const org = ["--org", harness.caller.organizationId];
    const list = await cli("signature", "list", ...org);
    expect(list.stdout).to.include(id).and.include("0 of 1");
    const canceled = await cli("signature", "cancel", id, ...org);
    expect(canceled).to.include({ code: 0, stderr: "" });
    expect(canceled.stdout).to.include("Withdrawn");
    expect((await harness.get(id)).status).to.equal("canceled");
    expect(fake.submission(Number(externalId)).archivedAt).to.not.equal(null);
  });
});
