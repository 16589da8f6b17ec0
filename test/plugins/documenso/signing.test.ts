import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { box, signRequest } from "../../support/signing-documents.js";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { connectedEsign, useProvider } from "../../support/esign.js";
import { FakeDocumenso } from "../../support/fakes/fake-documenso.js";
import { recordingLog, silentLog } from "../../support/recording-log.js";

const dayMs = 24 * 60 * 60 * 1000;

describe("a request at Documenso", () => {
  const documenso = useProvider(documensoPlugin, () => FakeDocumenso.start());
  afterEach(() => expect(documenso.fake.violations).to.deep.equal([]));
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) => {
    const { fake, provider } = documenso;
    const started = await provider.start(await signRequest(changes));
    return { started, envelope: fake.envelope(started.externalId) };
  };
  const getStatus = async (id: string) => {
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
    expect(await getStatus(id)).to.deep.equal([
      "pending",
      `${role} sent`,
      "Seller sent",
    ]);
  });

  it("passes from signer to signer until it is completed and downloaded", async () => {
    const { started, envelope } = await start();
    const id = started.externalId;
    expect(started.signers[0]?.url).to.contain("/sign/");
    expect(await getStatus(id)).to.deep.equal([
      "pending",
      "Buyer sent",
      "Seller waiting",
    ]);
    envelope.open(0);
    envelope.sign(0);
    envelope.sign(1);
    expect((await getStatus(id))[0]).to.equal("completed");
    const files = await documenso.provider.download(id);
    expect(files.map(({ label }) => label)).to.deep.equal(["signed", "audit"]);
  });

  const downloadFrom = async (
    auditLogPath: FakeDocumenso["auditLogPath"],
    log = silentLog,
  ) => {
    const { fake } = documenso;
    const { started, envelope } = await start();
    envelope.sign(0);
    envelope.sign(1);
    fake.auditLogPath = auditLogPath;
    const provider = connectedEsign(documensoPlugin, fake.credentials, { log });
    const files = await provider.download(started.externalId);
    fake.auditLogPath = "audit-log/download";
    return files.map(({ label }) => label);
  };

  for (const path of ["audit-log/download", "audit-log/pdf"] as const)
    it(`is downloaded with its audit trail from a server that has it at ${path}`, async () => {
      expect(await downloadFrom(path)).to.deep.equal(["signed", "audit"]);
    });

  it("is downloaded without an audit trail when the server has none, and the log says so", async () => {
    const { log, text } = recordingLog();
    expect(await downloadFrom(null, log)).to.deep.equal(["signed"]);
    expect(text()).to.contain("has no audit log to download");
    expect(text()).to.contain("audit-log/download").and.contain("envelope_");
  });

  it("says that an answer is asked for at each place of a field, but a signature is not", async () => {
    const { started, envelope } = await start({
      fields: [
        ...["Buyer", "Buyer", "Seller"].map((role) => box(role)),
        ...[1, 2].map((page) =>
          box("Buyer", { name: "Town", type: "text", page }),
        ),
        box("Seller", { name: "Town", type: "text" }),
      ],
    });
    expect(started.warnings).to.deep.equal([
      'Documenso asks for "Town" at each of its places: it does not copy the answer.',
    ]);
    expect(envelope.made.recipients[0]?.fields).to.have.length(4);
  });

  it("leads signers to the page that the request names", async () => {
    const redirectUrl = "https://example.com/thanks?contract=7";
    const { envelope } = await start({ redirectUrl });
    expect(envelope.made.meta.redirectUrl).to.equal(redirectUrl);
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
    expect((await getStatus(started.externalId))[0]).to.equal("canceled");
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
