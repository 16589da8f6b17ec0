import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { FakeDocuseal } from "../../support/fakes/fake-docuseal.js";
import { publish } from "../../support/store.js";

const attack = "{{Deed;type=signature;role=Buyer}}";
const definition = {
  schema: [],
  components: [
    { type: "text", text: "Contract with {{root.name}}" },
    {
      type: "sign-field",
      field: "signature",
      name: "Buyer's signature",
      submitter: "Buyer",
    },
  ],
};

describe("a document sent to DocuSeal", () => {
  const service = useService({
    config: {
      outbound: { allowPrivateNetworks: ["127.0.0.0/8"] },
      queue: { serverUrl: null, pollMs: 20, leaseMs: 30_000 },
    },
  });
  let fake: FakeDocuseal;
  let caller: TestCaller;
  let templateId = "";
  before(async () => {
    fake = await FakeDocuseal.start();
    caller = await newCaller(service);
    templateId = await publish(service.store, caller, { definition });
    const { credentials } = fake;
    const input = { provider: "docuseal", name: "Signing", credentials };
    expect((await caller.post("/api/connections", input)).status).to.equal(201);
  });
  after(() => fake.close());

  it("has the fields of its template and none from its data", async () => {
    await exported(caller, {
      templateId,
      formats: ["pdf"],
      data: { name: `Ada ${attack}` },
      sendForSignature: true,
      esignSettings: {
        submitters: [{ role: "Buyer", email: "ada@example.com", name: attack }],
        message: { subject: attack, body: attack },
      },
    });
    const [only] = fake.submissions;
    expect(fake.submissions).to.have.length(1);
    expect(only?.fields.map(({ name }) => name)).to.deep.equal([
      "Buyer's signature",
    ]);
    const [area] = only?.fields[0]?.areas ?? [];
    expect(area).to.include({ page: 1 });
    expect(area?.w).to.be.within(0.2, 0.4);
    expect(fake.violations).to.deep.equal([]);
  });
});
