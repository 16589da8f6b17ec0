import { expect } from "chai";
import { describe, it } from "mocha";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { connectedEsign } from "../../support/esign.js";
import { useDocuseal } from "./docuseal-setup.js";

const body = JSON.stringify({
  event_type: "form.completed",
  timestamp: "2026-11-21T18:00:00Z",
  data: { id: 7, submission_id: 1002, documents: [{ url: "http://evil" }] },
});

const raw = (
  headers: Record<string, string>,
  text = body,
  receivedAt = new Date(),
) => ({ body: new TextEncoder().encode(text), headers, receivedAt });

describe("a webhook from DocuSeal", () => {
  const docuseal = useDocuseal();
  const signed = (text = body, settings = {}) =>
    raw(docuseal.fake.webhook.createHeaders(text, settings), text);

  it("identifies its submission, and has the same id when it is repeated", async () => {
    const notice = signed();
    const first = await docuseal.provider.parseNotice(notice);
    expect(first?.externalId).to.equal("1002");
    expect(await docuseal.provider.parseNotice(notice)).to.deep.equal(first);
    expect(first?.id).to.be.a("string");
  });

  it("about a submission identifies that one", async () => {
    const text = JSON.stringify({
      event_type: "submission.completed",
      data: { id: 1003 },
    });
    expect(
      (await docuseal.provider.parseNotice(signed(text)))?.externalId,
    ).to.equal("1003");
  });

  for (const [description, minutes] of [
    ["an old one", -6],
    ["one from the future", 6],
  ] as const)
    it(`is rejected: ${description}`, async () => {
      const at = new Date(Date.now() + minutes * 60_000);
      expect(
        await docuseal.provider.parseNotice(signed(body, { at })),
      ).to.equal(null);
    });

  it("is rejected when it is signed with another secret", async () => {
    const secret = "whsec_of somebody else altogether";
    expect(
      await docuseal.provider.parseNotice(signed(body, { secret })),
    ).to.equal(null);
  });

  it("is rejected with one character changed", async () => {
    const { headers } = signed();
    const changed = body.replace("1002", "1001");
    expect(await docuseal.provider.parseNotice(raw(headers, changed))).to.equal(
      null,
    );
  });

  it("is rejected without a signature and without a secret", async () => {
    const { fake, provider } = docuseal;
    expect(await provider.parseNotice(raw({}))).to.equal(null);
    const { url, apiKey } = fake;
    const withoutSecret = connectedEsign(docusealPlugin, { url, apiKey });
    expect(await withoutSecret.parseNotice(signed())).to.equal(null);
  });

  for (const text of ["", "[]", "{}", '{"event_type":"template.created"}'])
    it(`is rejected when it is not about a request: ${text}`, async () => {
      expect(await docuseal.provider.parseNotice(signed(text))).to.equal(null);
    });
});
