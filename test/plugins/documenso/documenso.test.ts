import { expect } from "chai";
import {
  isAmbiguous,
  findPlatformError,
} from "../../../core/integrations/host/index.js";
import {
  esignContractSuite,
  type SignerAct,
} from "../../../plugins/contract-suite/index.js";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { testContract } from "../../support/contract.js";
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

describe("the provider documenso", () =>
  testContract(
    esignContractSuite({ plugin: documensoPlugin, start: startServer }),
  ));

describe("a request at Documenso", () => {
  const documenso = useProvider(documensoPlugin, () => FakeDocumenso.start());
  afterEach(() => {
    documenso.fake.server.faults.clear();
    expect(documenso.fake.violations).to.deep.equal([]);
  });
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) => {
    const { fake, provider } = documenso;
    const started = await provider.start(await signRequest(changes));
    return { started, envelope: fake.envelope(started.externalId) };
  };

  it("has its fields in percent of the page, and signers who are identified by their roles, whatever characters these contain", async () => {
    const role = "Käufer: 1, links";
    const place = { x: 0.25, y: 0.75, w: 0.5, h: 0.1 };
    const { envelope, started } = await start({
      requestId: "0123",
      fields: [
        box(role, { ...place, page: 2 }),
        ...[1, 2].map((page) =>
          box(role, { name: "Town", type: "text", ...place, page }),
        ),
        box(role, { name: "Stamp", type: "stamp", ...place }),
        box("Seller", place),
        box("Notary", place),
      ],
      submitters: [
        { role, email: "a@example.com", name: "Ada", order: 0 },
        { role: "Seller", email: "b@example.com", order: 0 },
        { role: "Notary", email: "c@example.com", order: 1 },
      ],
      // After whole days, never too soon.
      expiresAt: new Date(Date.now() + 1.5 * 24 * 60 * 60 * 1000),
      message: { subject: "Please sign", body: "Dear Ada" },
      redirectUrl: "https://example.com/thanks?contract=7",
    });
    const at = { positionX: 25, positionY: 75, width: 50, height: 10 };
    const sign = (page: number) => ({ type: "SIGNATURE", page, ...at });
    const answer = (label: string, page: number) => ({
      type: "TEXT",
      page,
      ...at,
      fieldMeta: { type: "text", label, required: true },
    });
    expect(envelope.made).to.deep.equal({
      title: "Contract 7",
      externalId: "0123:K%C3%A4ufer%3A%201%2C%20links,Seller,Notary",
      recipients: [
        {
          email: "a@example.com",
          name: "Ada",
          role: "SIGNER",
          signingOrder: 1,
          fields: [
            sign(2),
            answer("Town", 1),
            answer("Town", 2),
            answer("Stamp", 1),
          ],
        },
        ...["b@example.com", "c@example.com"].map((email, index) => ({
          email,
          name: "",
          role: "SIGNER",
          signingOrder: index + 1,
          fields: [sign(1)],
        })),
      ],
      meta: {
        distributionMethod: "EMAIL",
        signingOrder: "SEQUENTIAL",
        subject: "Please sign",
        message: "Dear Ada",
        redirectUrl: "https://example.com/thanks?contract=7",
        envelopeExpirationPeriod: { unit: "day", amount: 2 },
      },
    });
    expect(started.warnings).to.deep.equal([
      "Documenso has no stamp fields: they become text fields.",
      "Documenso asks signers strictly one after the other, even those of the same group.",
      'Documenso asks for "Town" at each of its places: it does not copy the answer.',
    ]);
    const { signers } = await documenso.provider.status(started.externalId);
    expect(signers.map((one) => `${one.role} ${one.status}`)).to.deep.equal([
      `${role} sent`,
      "Seller waiting",
      "Notary waiting",
    ]);
  });

  it("is declined with the signer's reason", async () => {
    const { started, envelope } = await start();
    expect(started.signers[0]?.url).to.match(/\/sign\/[\w-]{16}$/);
    envelope.open(0);
    envelope.reject(0, "Too dear");
    const { status, signers } = await documenso.provider.status(
      started.externalId,
    );
    expect(status).to.equal("declined");
    expect(signers[0]).to.include({ status: "declined", reason: "Too dear" });
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

  it("reminds only the signers whose turn it is", async () => {
    const { started, envelope } = await start();
    await documenso.provider.resend(started.externalId);
    expect(envelope.mails.map(({ to }) => to)).to.deep.equal([
      "buyer@example.com",
      "buyer@example.com",
    ]);
  });

  for (const [name, call] of [
    ["draft", /envelope\/create$/],
    ["sending", /envelope\/distribute$/],
    ["state", /GET .*envelope\/envelope_/],
  ] as const)
    it(`is sent by the next start without a duplicate when the reply to its ${name} was lost`, async () => {
      const { fake, provider } = documenso;
      const before = fake.envelopes.length;
      const request = await signRequest();
      fake.server.faults.next(call, "lost");
      const error: unknown = await provider.start(request).catch(failed);
      expect(isAmbiguous(error)).to.equal(true);
      await fake.server.waitUntilSettled();
      const { externalId } =
        (await provider.find(request.requestId)) ??
        (await provider.start(request));
      expect(fake.envelopes).to.have.length(before + 1);
      const { status, mails } = fake.envelope(externalId);
      expect(status).to.equal("PENDING");
      expect(mails).to.deep.equal([
        { to: "buyer@example.com", kind: "request" },
      ]);
    });

  it("is not found as long as it is a draft that was never sent", async () => {
    const { fake, provider } = documenso;
    const before = fake.envelopes.length;
    const request = await signRequest();
    fake.server.faults.next(/envelope\/distribute$/, "reset");
    await provider.start(request).catch(failed);
    expect(fake.envelopes).to.have.length(before + 1);
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
  });
});

const failed = (error: unknown) => error;

describe("a webhook from Documenso", () => {
  const documenso = useProvider(documensoPlugin, () => FakeDocumenso.start());
  const event = "DOCUMENT_COMPLETED";
  const payload = { id: 10, envelopeId: "envelope_abc" };
  const parse = (webhook: object, secret = documenso.fake.webhookSecret) =>
    documenso.provider.parseNotice({
      body: new TextEncoder().encode(JSON.stringify(webhook)),
      headers: { "x-documenso-secret": secret },
      receivedAt: new Date(),
    });

  it("names its envelope, and is rejected with another secret, without an envelope or about something else", async () => {
    expect(await parse({ event, payload })).to.deep.equal({
      externalId: "envelope_abc",
    });
    for (const secret of ["", "another secret altogether"])
      expect(await parse({ event, payload }, secret)).to.equal(null);
    for (const other of [
      { event, payload: { id: 10 } },
      { event: "TEMPLATE_USED", payload },
      {},
    ])
      expect(await parse(other)).to.equal(null);
  });
});
