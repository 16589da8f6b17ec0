import { expect } from "chai";
import { after, describe, it, afterEach } from "mocha";
import {
  isAmbiguous,
  findPlatformError,
} from "../../../core/integrations/host/index.js";
import {
  esignContractSuite,
  type SignerAct,
} from "../../../plugins/contract-suite/index.js";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { connectedEsign, useProvider } from "../../support/esign.js";
import { FakeDocumenso } from "../../support/fakes/fake-documenso.js";
import { recordingLog, silentLog } from "../../support/recording-log.js";
import { box, signRequest } from "../../support/signing-documents.js";

async function startServer() {
  const fake = await FakeDocumenso.start();
  const { apiKey, webhookSecret } = fake;
  const own = (api = "") => ({ url: api, apiKey, webhookSecret });
  return {
    addresses: { api: fake.url },
    credentials: ({ api }: Readonly<Record<string, string>>) => own(api),
    wrongCredentials: ({ api }: Readonly<Record<string, string>>) => ({
      ...own(api),
      apiKey: "api_another",
    }),
    play: async ({ externalId, role, act }: SignerAct) => {
      const envelope = fake.envelope(externalId);
      const place = ["Buyer", "Seller"].indexOf(role);
      if (act === "sign") envelope.sign(place);
      else envelope.reject(place, "no");
    },
    count: async (requestId: string) =>
      fake.envelopes.filter(({ made }) =>
        made.externalId?.startsWith(requestId),
      ).length,
    notice: (envelopeId: string) => {
      const event = "DOCUMENT_COMPLETED";
      const body = JSON.stringify({ event, payload: { id: 1, envelopeId } });
      return {
        body: new TextEncoder().encode(body),
        headers: { "x-documenso-secret": webhookSecret },
        receivedAt: new Date(),
      };
    },
    close: () => fake.close(),
  };
}

describe("the provider documenso", () => {
  const plugin = documensoPlugin;
  const { checks, close } = esignContractSuite({ plugin, start: startServer });
  after(close);
  for (const { title, run } of checks) it(title, run);
});

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

const failed = (error: unknown) => error;

const calls = {
  create: /envelope\/create$/,
  distribute: /envelope\/distribute$/,
  "the state": /GET .*envelope\/envelope_/,
};

describe("a start at Documenso that fails halfway", () => {
  const documenso = useProvider(documensoPlugin, () => FakeDocumenso.start());
  afterEach(() => documenso.fake.server.faults.clear());

  for (const [name, call] of Object.entries(calls))
    for (const fault of ["lost", "silent", "bad-gateway", "reset"] as const)
      it(`is completed by the next one without a duplicate: ${name}, ${fault}`, async () => {
        const { fake, provider } = documenso;
        const before = fake.envelopes.length;
        const request = await signRequest();
        fake.server.faults.next(call, fault);
        const error: unknown = await provider
          .start(request, { timeoutMs: 1500 })
          .catch(failed);
        expect(isAmbiguous(error)).to.equal(true);
        await fake.server.waitUntilSettled();
        const found =
          (await provider.find(request.requestId)) ??
          (await provider.start(request));
        expect(fake.envelopes).to.have.length(before + 1);
        const only = fake.envelope(found.externalId);
        expect(only.status).to.equal("PENDING");
        expect(only.mails).to.deep.equal([
          { to: "buyer@example.com", kind: "request" },
        ]);
      });

  it("does not find a draft that was never sent", async () => {
    const { fake, provider } = documenso;
    const request = await signRequest();
    fake.server.faults.next(calls.distribute, "stall");
    await provider.start(request, { timeoutMs: 300 }).catch(failed);
    expect(await provider.find(request.requestId)).to.equal(null);
  });

  it("leaves nothing behind when Documenso refuses to send it", async () => {
    const { fake, provider } = documenso;
    const before = fake.envelopes.length;
    const fields = [box("Buyer"), box("Seller", { type: "text" })];
    const error: unknown = await provider
      .start(await signRequest({ fields }))
      .catch(failed);
    expect(isAmbiguous(error)).to.equal(false);
    expect(findPlatformError(error)?.message).to.contain("no signature field");
    expect(fake.envelopes).to.have.length(before);
    expect(fake.violations).to.deep.equal([]);
  });
});
