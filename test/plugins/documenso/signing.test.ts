import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { box, signRequest } from "../../support/signing-documents.js";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { useProvider } from "../../support/esign.js";
import { FakeDocumenso } from "../../support/fakes/fake-documenso.js";

const dayMs = 24 * 60 * 60 * 1000;

describe("a request at Documenso", () => {
  const documenso = useProvider(documensoPlugin, () => FakeDocumenso.start());
  afterEach(() => expect(documenso.fake.violations).to.deep.equal([]));
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) => {
    const { fake, provider } = documenso;
    const started = await provider.start(await signRequest(changes));
    return { started, envelope: fake.envelope(started.externalId) };
  };
  const statusOf = async (id: string) => {
    const { status, signers } = await documenso.provider.status(id);
    return [status, ...signers.map((one) => `${one.role} ${one.status}`)];
  };

  it("has its fields in percent of the page", async () => {
    const { envelope } = await start({
      fields: [
        box("Buyer", { x: 0.25, y: 0.75, w: 0.5, h: 0.1, page: 2 }),
        box("Seller"),
      ],
    });
    expect(envelope.made.recipients[0]?.fields[0]).to.include({
      type: "SIGNATURE",
      page: 2,
      positionX: 25,
      positionY: 75,
      width: 50,
      height: 10,
    });
  });

  it("identifies its signers by their roles, whatever characters these contain", async () => {
    const role = "Käufer: 1, links";
    const { started } = await start({
      fields: [box(role), box("Seller")],
      submitters: [
        { role, email: "a@example.com", order: 0 },
        { role: "Seller", email: "b@example.com", order: 0 },
      ],
    });
    const id = started.externalId;
    expect(await statusOf(id)).to.deep.equal([
      "pending",
      `${role} sent`,
      "Seller sent",
    ]);
  });

  it("passes from signer to signer until it is completed and downloaded", async () => {
    const { started, envelope } = await start();
    const id = started.externalId;
    expect(started.signers[0]?.url).to.contain("/sign/");
    expect(await statusOf(id)).to.deep.equal([
      "pending",
      "Buyer sent",
      "Seller waiting",
    ]);
    envelope.open(0);
    envelope.sign(0);
    envelope.sign(1);
    expect((await statusOf(id))[0]).to.equal("completed");
    const files = await documenso.provider.download(id);
    expect(files.map(({ label }) => label)).to.deep.equal(["signed", "audit"]);
  });

  it("is downloaded without an audit trail when the server has none", async () => {
    const { started, envelope } = await start();
    envelope.sign(0);
    envelope.sign(1);
    documenso.fake.hasAuditLog = false;
    const files = await documenso.provider.download(started.externalId);
    documenso.fake.hasAuditLog = true;
    expect(files.map(({ label }) => label)).to.deep.equal(["signed"]);
  });

  it("is declined with the signer's reason", async () => {
    const { started, envelope } = await start();
    envelope.reject(0, "Too dear");
    const { status, signers } = await documenso.provider.status(
      started.externalId,
    );
    expect(status).to.equal("declined");
    expect(signers[0]).to.include({ status: "declined", reason: "Too dear" });
  });

  it("expires after whole days, never too soon", async () => {
    const expiresAt = new Date(Date.now() + 1.5 * dayMs);
    const { envelope } = await start({ expiresAt });
    expect(envelope.made.meta.envelopeExpirationPeriod).to.deep.equal({
      unit: "day",
      amount: 2,
    });
  });

  it("is canceled once, and reminds only the signers whose turn it is", async () => {
    const { started, envelope } = await start();
    const { provider } = documenso;
    await provider.resend(started.externalId);
    expect(envelope.mails.map(({ to }) => to)).to.deep.equal([
      "buyer@example.com",
      "buyer@example.com",
    ]);
    await provider.cancel(started.externalId);
    await provider.cancel(started.externalId);
    expect((await statusOf(started.externalId))[0]).to.equal("canceled");
  });

  it("rejects what Documenso does not support: stamps and groups", async () => {
    const { started, envelope } = await start({
      fields: [
        ...["Buyer", "Seller", "Notary"].map((role) => box(role)),
        box("Buyer", { name: "Stamp", type: "stamp" }),
      ],
      submitters: ["Buyer", "Seller", "Notary"].map((role, place) => ({
        role,
        email: `${place}@example.com`,
        order: place === 2 ? 1 : 0,
      })),
    });
    expect(started.warnings).to.have.length(2);
    expect(envelope.made.recipients[0]?.fields[1]?.type).to.equal("TEXT");
  });
});
