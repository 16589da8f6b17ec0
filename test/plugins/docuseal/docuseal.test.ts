import { expect } from "chai";
import { after, describe, it, afterEach, before } from "mocha";
import {
  findPlatformError,
  isAmbiguous,
} from "../../../core/integrations/host/index.js";
import { esignContractSuite } from "../../../plugins/contract-suite/index.js";
import {
  docusealPlugin,
  getApiUrl,
  getSigningUrl,
} from "../../../plugins/docuseal/plugin.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { connectedEsign } from "../../support/esign.js";
import { FakeDocuseal } from "../../support/fakes/fake-docuseal.js";
import { pdfText } from "../../support/read-pdf.js";
import { exported, useService } from "../../support/service.js";
import { box, signRequest } from "../../support/signing-documents.js";
import { startDocuseal, useDocuseal } from "./docuseal-setup.js";

describe("the provider docuseal", () => {
  const subject = { plugin: docusealPlugin, start: startDocuseal };
  const { checks, close } = esignContractSuite(subject);
  after(close);
  for (const { title, run } of checks) it(title, run);
});

describe("the base URLs of DocuSeal", () => {
  const apiKey = "a key";

  for (const [url, api, signing] of [
    [undefined, "https://api.docuseal.com", "https://docuseal.com/s/x"],
    [
      "https://api.docuseal.eu/",
      "https://api.docuseal.eu",
      "https://docuseal.eu/s/x",
    ],
    [
      "https://sign.example.com",
      "https://sign.example.com/api",
      "https://sign.example.com/s/x",
    ],
    [
      "https://sign.example.com/api/",
      "https://sign.example.com/api",
      "https://sign.example.com/s/x",
    ],
    [
      "http://10.0.0.7:3001",
      "http://10.0.0.7:3001/api",
      "http://10.0.0.7:3001/s/x",
    ],
  ] as const)
    it(`are ${api} and ${signing} for ${url ?? "no setting"}`, () => {
      const credentials = { apiKey, ...(url !== undefined && { url }) };
      expect(getApiUrl(credentials)).to.equal(api);
      expect(getSigningUrl(credentials, "x")).to.equal(signing);
    });
});

describe("a new request at DocuSeal", () => {
  const docuseal = useDocuseal();
  afterEach(() => expect(docuseal.fake.violations).to.deep.equal([]));
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) => {
    const { fake, provider } = docuseal;
    const started = await provider.start(await signRequest(changes));
    return { started, made: fake.submission(started.externalId) };
  };

  it("has its fields where they were printed, with fields of one name joined", async () => {
    const { made } = await start({
      fields: [
        box("Buyer", { name: "Here", x: 0.25, y: 0.75, w: 0.5, h: 0.1 }),
        box("Buyer", { name: "Here", page: 2 }),
        box("Seller"),
      ],
    });
    const [here] = made.fields;
    expect(made.fields).to.have.length(2);
    expect(here?.areas[0]).to.deep.equal({
      x: 0.25,
      y: 0.75,
      w: 0.5,
      h: 0.1,
      page: 1,
    });
    expect(here?.areas[1]?.page).to.equal(2);
  });

  it("leads signers to the page that the request names", async () => {
    const redirectUrl = "https://example.com/thanks?contract=7";
    const { made } = await start({ redirectUrl });
    expect(made.made.completed_redirect_url).to.equal(redirectUrl);
  });

  it("asks the first group at once and returns where each signer signs", async () => {
    const { started, made } = await start();
    expect(started.signers.map(({ status }) => status)).to.deep.equal([
      "sent",
      "waiting",
    ]);
    const [buyer] = made.submitters;
    expect(started.signers[0]?.url).to.equal(
      `${docuseal.fake.url}/s/${buyer?.slug}`,
    );
    expect(made.mails.map(({ to }) => to)).to.deep.equal(["buyer@example.com"]);
  });

  it("asks all signers at once without an order", async () => {
    const { made } = await start({
      submitters: ["Buyer", "Seller"].map((role) => ({
        role,
        email: `${role.toLowerCase()}@example.com`,
        order: 0,
      })),
    });
    expect(made.made.order).to.equal("random");
    expect(made.mails).to.have.length(2);
  });

  it("expires to the second, and its message links to the document", async () => {
    const expiresAt = new Date("2031-02-03T04:05:06.700Z");
    const { made } = await start({
      expiresAt,
      message: { subject: "Please sign", body: "Dear Ada" },
    });
    expect(made.expiresAt?.toISOString()).to.equal("2031-02-03T04:05:06.000Z");
    expect(made.mails[0]).to.deep.include({
      subject: "Please sign",
      body: "Dear Ada\n\n{{submitter.link}}",
    });
  });

  it("has no line breaks in email headers", async () => {
    const { made } = await start({
      message: { subject: "Sign\r\nBcc: x@example.com", body: "Dear\nAda" },
    });
    expect(made.mails[0]).to.deep.include({
      subject: "Sign Bcc: x@example.com",
      body: "Dear\nAda\n\n{{submitter.link}}",
    });
  });

  it("has no field tags in any text", async () => {
    const tag = "{{x;type=signature;role=Seller}}";
    const { made } = await start({
      title: tag,
      message: { subject: tag, body: tag },
      submitters: [
        {
          role: "Buyer",
          email: "b@example.com",
          name: tag,
          order: 0,
          values: { Town: `{{date}} ${tag}` },
        },
        { role: "Seller", email: "s@example.com", order: 0 },
      ],
    });
    const { documents, ...texts } = made.made;
    const text = JSON.stringify([texts, documents[0]?.name]);
    expect(text.replaceAll("{{submitter.link}}", "")).not.to.match(/\{\{|\}\}/);
    expect(text).to.contain("type=signature");
  });

  it("omits values for which the role has no field and warns about them", async () => {
    const { started, made } = await start({
      submitters: [
        {
          role: "Buyer",
          email: "b@example.com",
          order: 0,
          values: { Town: "Ulm", Street: "x" },
        },
        { role: "Seller", email: "s@example.com", order: 1 },
      ],
    });
    expect(made.submitters[0]?.values).to.deep.equal({ Town: "Ulm" });
    expect(started.warnings?.join()).to.contain('"Street"');
  });
});

describe("a request at DocuSeal", () => {
  const docuseal = useDocuseal();
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) =>
    (await docuseal.provider.start(await signRequest(changes))).externalId;
  const getStatus = async (id: string) => {
    const { status, signers } = await docuseal.provider.status(id);
    return [status, ...signers.map((signer) => signer.status)];
  };

  it("passes from signer to signer until it is completed", async () => {
    const { fake } = docuseal;
    const id = await start();
    expect(await getStatus(id)).to.deep.equal(["pending", "sent", "waiting"]);
    await fake.open(id, "Buyer");
    expect(await getStatus(id)).to.deep.equal(["pending", "opened", "waiting"]);
    await fake.complete(id, "Buyer");
    expect(await getStatus(id)).to.deep.equal(["pending", "completed", "sent"]);
    await fake.complete(id, "Seller");
    expect(await getStatus(id)).to.deep.equal([
      "completed",
      "completed",
      "completed",
    ]);
  });

  it("is declined with the signer's reason", async () => {
    const id = await start();
    await docuseal.fake.decline(id, "Buyer", "Too dear");
    const { status, signers } = await docuseal.provider.status(id);
    expect(status).to.equal("declined");
    expect(signers[0]).to.include({ status: "declined", reason: "Too dear" });
  });

  it("is downloaded with its audit trail, even after the first links have expired", async () => {
    const { fake, provider } = docuseal;
    const id = await start();
    await fake.complete(id, "Buyer", { Town: "Ulm" });
    await fake.complete(id, "Seller");
    for (const laterMs of [0, 41 * 60_000]) {
      fake.server.clock.advance(laterMs);
      const [signed, audit, ...more] = await provider.download(id);
      expect(more).to.deep.equal([]);
      expect(await pdfText(signed?.bytes ?? new Uint8Array())).to.contain(
        "Ulm",
      );
      expect(audit?.label).to.equal("audit");
    }
  });

  it("is downloaded from the storage to which its links redirect", async () => {
    const { fake, provider } = docuseal;
    const id = await start();
    await fake.complete(id, "Buyer");
    await fake.complete(id, "Seller");
    fake.hasStorage = true;
    const files = await provider.download(id);
    fake.hasStorage = false;
    expect(files).to.have.length(2);
  });

  it("can be canceled more than once", async () => {
    const { provider } = docuseal;
    const id = await start();
    await provider.cancel(id);
    await provider.cancel(id);
    expect((await provider.status(id)).status).to.equal("canceled");
  });

  it("reminds only the signers whose turn it is", async () => {
    const { fake, provider } = docuseal;
    const id = await start();
    await provider.resend(id);
    expect(
      fake.submission(id).mails.map(({ to, kind }) => [to, kind]),
    ).to.deep.equal([
      ["buyer@example.com", "request"],
      ["buyer@example.com", "reminder"],
    ]);
    expect(fake.violations).to.deep.equal([]);
  });

  it("expires at its time", async () => {
    const { fake } = docuseal;
    const expiresAt = new Date(fake.server.clock.now.getTime() + 60_000);
    const id = await start({ expiresAt });
    fake.server.clock.advance(61_000);
    expect((await getStatus(id))[0]).to.equal("expired");
  });

  it("is not found after it was deleted there", async () => {
    const error: unknown = await docuseal.provider
      .status("999999")
      .catch((thrown: unknown) => thrown);
    expect(findPlatformError(error)?.code).to.equal("not_found");
  });
});

const failed = (error: unknown) => error;

describe("errors from DocuSeal", () => {
  const docuseal = useDocuseal();
  afterEach(() => {
    docuseal.fake.edition = "pro";
    docuseal.fake.isForbidden = false;
  });
  /** What a start is refused with; it has left nothing. */
  const rejection = async (provider = docuseal.provider) => {
    const earlier = docuseal.fake.submissions.length;
    const request = await signRequest();
    const error: unknown = await provider.start(request).catch(failed);
    expect(isAmbiguous(error)).to.equal(false);
    expect(docuseal.fake.submissions).to.have.length(earlier);
    const { code, message } = findPlatformError(error) ?? {};
    return { code, message };
  };

  it("name the free edition when it lacks the feature", async () => {
    docuseal.fake.edition = "free";
    const { code, message } = await rejection();
    expect(code).to.equal("unsupported");
    expect(message).to.contain("Pro Edition").and.contain("free edition");
  });

  it("report an invalid key without revealing it", async () => {
    const { url } = docuseal.fake;
    const apiKey = "nobody knows this one";
    const { code, message } = await rejection(
      connectedEsign(docusealPlugin, { url, apiKey }),
    );
    expect(code).to.equal("auth");
    expect(message).to.contain("API key").and.not.contain(apiKey);
  });

  it("are forbidden for a key without permission", async () => {
    docuseal.fake.isForbidden = true;
    expect((await rejection()).code).to.equal("forbidden");
  });

  it("include DocuSeal's own message for invalid requests", async () => {
    const { fake, provider } = docuseal;
    const bytes = new TextEncoder().encode("no pdf");
    const pdf = { name: "x", bytes, pages: 2 };
    const error: unknown = await provider
      .start(await signRequest({ pdf }))
      .catch(failed);
    expect(findPlatformError(error)?.code).to.equal("invalid_field");
    expect(String(error)).to.contain("The file is no PDF");
    expect(fake.violations).to.deep.equal([]);
  });

  it("are retried after the wait for a rate limit, and then reported", async () => {
    const { fake, provider } = docuseal;
    const pdf = /\/submissions\/pdf$/;
    fake.server.faults.tooMany(pdf, 2);
    const started = await provider.start(await signRequest());
    expect(started.externalId).not.to.equal("");
    fake.server.faults.tooMany(pdf, 4);
    expect((await rejection()).code).to.equal("rate_limited");
  });
});

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

const call = /^POST .*\/submissions\/pdf$/;

describe("a start at DocuSeal without a response", () => {
  const docuseal = useDocuseal();
  afterEach(() => docuseal.fake.server.faults.clear());

  const faults = ["lost", "silent", "bad-gateway"] as const;
  for (const fault of faults)
    it(`is found when it had its effect (${fault})`, async () => {
      const { fake, provider } = docuseal;
      const request = await signRequest();
      const earlier = fake.submissions.length;
      fake.server.faults.next(call, fault);
      const error: unknown = await provider
        .start(request, { timeoutMs: 1500 })
        .catch(failed);
      expect(isAmbiguous(error)).to.equal(true);
      await fake.server.waitUntilSettled();
      const found = await provider.find(request.requestId);
      expect(found?.externalId).to.equal(String(fake.submissions.at(-1)?.id));
      expect(found?.signers.map(({ role }) => role)).to.deep.equal([
        "Buyer",
        "Seller",
      ]);
      expect(fake.submissions).to.have.length(earlier + 1);
    });

  const without = ["reset", "stall", "html"] as const;
  for (const fault of without)
    it(`is not found when it had no effect (${fault})`, async () => {
      const { fake, provider } = docuseal;
      const request = await signRequest();
      fake.server.faults.next(call, fault);
      const error: unknown = await provider
        .start(request, { timeoutMs: 1500 })
        .catch(failed);
      expect(isAmbiguous(error)).to.equal(true);
      expect(await provider.find(request.requestId)).to.equal(null);
    });

  it("is found later when DocuSeal is slow", async () => {
    const { fake, provider } = docuseal;
    const request = await signRequest();
    fake.server.faults.next(call, "late");
    await provider.start(request, { timeoutMs: 1500 }).catch(failed);
    expect(await provider.find(request.requestId)).to.equal(null);
    await fake.server.catchUp();
    expect(await provider.find(request.requestId)).not.to.equal(null);
  });

  it("leaves one submission each after a hundred starts", async () => {
    const { fake, provider } = docuseal;
    const earlier = fake.submissions.length;
    const requests = await Promise.all(
      Array.from({ length: 100 }, () => signRequest()),
    );
    fake.server.faults.next(call, "lost", 100);
    const ids = await Promise.all(
      requests.map(async (request) => {
        const error: unknown = await provider.start(request).catch(failed);
        expect(isAmbiguous(error)).to.equal(true);
        return (await provider.find(request.requestId))?.externalId;
      }),
    );
    expect(new Set(ids).size).to.equal(100);
    expect(fake.submissions).to.have.length(earlier + 100);
  });
});

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
    templateId = await caller.publish({ definition });
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
