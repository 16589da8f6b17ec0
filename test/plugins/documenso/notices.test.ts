import { expect } from "chai";
import { describe, it } from "mocha";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { useProvider } from "../../support/esign.js";
import { FakeDocumenso } from "../../support/fakes/fake-documenso.js";

const raw = (secret: string, webhook: object) => ({
  body: new TextEncoder().encode(JSON.stringify(webhook)),
  headers: { "x-documenso-secret": secret },
  receivedAt: new Date(),
});
const payload = { id: 10, envelopeId: "envelope_abc" };
const event = "DOCUMENT_COMPLETED";

describe("a webhook from Documenso", () => {
  const documenso = useProvider(documensoPlugin, () => FakeDocumenso.start());

  it("identifies its envelope", async () => {
    const { fake, provider } = documenso;
    const notice = raw(fake.webhookSecret, { event, payload });
    expect(await provider.parseNotice(notice)).to.deep.equal({
      externalId: "envelope_abc",
    });
  });

  for (const secret of ["", "another secret altogether"])
    it(`is rejected with the secret "${secret}"`, async () => {
      const notice = raw(secret, { event, payload });
      expect(await documenso.provider.parseNotice(notice)).to.equal(null);
    });

  for (const webhook of [
    { event, payload: { id: 10 } },
    { event: "TEMPLATE_USED", payload },
    {},
  ])
    it(`is rejected when it names no envelope: ${JSON.stringify(webhook)}`, async () => {
      const notice = raw(documenso.fake.webhookSecret, webhook);
      expect(await documenso.provider.parseNotice(notice)).to.equal(null);
    });
});
