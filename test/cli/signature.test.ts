import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { EsignHarness, fastSettings, MemoryEsign } from "../support/esign.js";
import { FakeDocuseal } from "../support/fakes/fake-docuseal.js";
import { useService } from "../support/service.js";
import { emptyPdf } from "../support/signing-documents.js";
import { cliOn } from "../support/store-cli.js";

describe("platen signature", () => {
  const networks = { allowPrivateNetworks: ["127.0.0.0/8"] };
  const service = useService({
    config: { outbound: networks, signatures: fastSettings },
  });
  const cli = cliOn(service.dataFolder, {
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  });
  let fake: FakeDocuseal;
  const harness = new EsignHarness(service, new MemoryEsign(), () => ({
    provider: "docuseal",
    credentials: fake.credentials,
  }));
  before(async () => {
    fake = await FakeDocuseal.start();
    await harness.open();
  });
  after(() => fake.server.close());

  it("lists a request and cancels it", async () => {
    const id = await harness.send({ bytes: await emptyPdf() });
    const { externalId } = await harness.waitForStatus(id, "pending");
    const org = ["--org", harness.caller.organizationId];
    const run = async (...words: string[]) =>
      (await cli("signature", ...words, ...org)).stdout;
    expect(await run("list"))
      .to.include(id)
      .and.include("0 of 1");
    expect(await run("cancel", id)).to.include("Withdrawn");
    expect((await harness.get(id)).status).to.equal("canceled");
    expect(fake.submission(Number(externalId)).archivedAt).to.not.equal(null);
  });
});
