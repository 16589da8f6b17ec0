import { expect } from "chai";
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
import { json, newCaller, type TestCaller } from "../../support/caller.js";
import { testContract } from "../../support/contract.js";
import {
  connectedEsign,
  fastSettings,
  readSignature,
  useProvider,
} from "../../support/esign.js";
import { eventually } from "../../support/eventually.js";
import {
  FakeDocuseal,
  useFakeDocuseal,
} from "../../support/fakes/fake-docuseal.js";
import { pdfText } from "../../support/read-pdf.js";
import { withRows } from "../../support/rows.js";
import { exported, useService } from "../../support/service.js";
import { box, signRequest } from "../../support/signing-documents.js";
import { startDocuseal } from "./docuseal-setup.js";

const useDocuseal = () =>
  useProvider(docusealPlugin, () => FakeDocuseal.start());

describe("the provider docuseal", () =>
  testContract(
    esignContractSuite({ plugin: docusealPlugin, start: startDocuseal }),
  ));

describe("the base URLs of DocuSeal", () => {
  const apiKey = "a key";

  for (const [url, api, signing] of [
    [undefined, "https://api.docuseal.com", "https://docuseal.com/s/x"],
    [
      "https://api.docuseal.eu/",
      "https://api.docuseal.eu",
      "https://docuseal.eu/s/x",
    ],
    ...["https://sign.example.com", "http://10.0.0.7:3001"].map(
      (own) => [own, `${own}/api`, `${own}/s/x`] as const,
    ),
    [
      "https://sign.example.com/api/",
      "https://sign.example.com/api",
      "https://sign.example.com/s/x",
    ],
  ] as const)
    it(`are ${api} and ${signing} for ${url ?? "no setting"}`, () => {
      const credentials = { apiKey, ...(url !== undefined && { url }) };
      expect(getApiUrl(credentials)).to.equal(api);
      expect(getSigningUrl(credentials, "x")).to.equal(signing);
    });
});

describe("a request at DocuSeal", () => {
  const docuseal = useDocuseal();
  afterEach(() => expect(docuseal.fake.violations).to.deep.equal([]));
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) => {
    const { fake, provider } = docuseal;
    const started = await provider.start(await signRequest(changes));
    return { started, made: fake.submission(started.externalId) };
  };
  const getStatus = async (id: string) => {
    const { status, signers } = await docuseal.provider.status(id);
    return [status, ...signers.map((signer) => signer.status)];
  };

  it("is sent with its fields where they were printed, without line breaks in headers and without tags in texts", async () => {
    const tag = "{{x;type=signature;role=Seller}}";
    const place = { x: 0.25, y: 0.75, w: 0.5, h: 0.1 };
    const request = await signRequest({
      title: tag,
      fields: [
        box("Buyer", { name: "Here", ...place }),
        box("Buyer", { name: "Here", ...place, page: 2, required: false }),
        box("Seller", { type: "select", options: ["a", "b"], ...place }),
        box("Buyer", { name: "Town", type: "text", ...place, required: false }),
      ],
      submitters: [
        {
          role: "Buyer",
          email: "buyer@example.com",
          name: tag,
          order: 0,
          values: { Town: `Ulm ${tag}`, Street: "x" },
        },
        { role: "Seller", email: "seller@example.com", order: 1 },
      ],
      message: { subject: "Sign\r\nBcc: x@example.com", body: `Dear\n${tag}` },
      expiresAt: new Date("2031-02-03T04:05:06.700Z"),
      redirectUrl: "https://example.com/thanks?contract=7",
    });
    const { fake, provider } = docuseal;
    const { externalId, signers, warnings } = await provider.start(request);
    const { made, submitters, mails } = fake.submission(externalId);
    const plain = "{ {x;type=signature;role=Seller} }".replaceAll(
      " ",
      "\u00a0",
    );
    const body = `Dear\n${plain}\n\n{{submitter.link}}`;
    const subject = "Sign Bcc: x@example.com";
    const [document] = made.documents;
    expect(made).to.deep.equal({
      name: plain,
      send_email: true,
      order: "preserved",
      expire_at: "2031-02-03 04:05:06 UTC",
      completed_redirect_url: "https://example.com/thanks?contract=7",
      message: { subject, body },
      documents: [
        {
          name: "contract-7",
          file: document?.file,
          fields: [
            {
              name: "Here",
              type: "signature",
              role: "Buyer",
              required: true,
              areas: [
                { ...place, page: 1 },
                { ...place, page: 2 },
              ],
            },
            {
              name: "Signature of Seller",
              type: "select",
              role: "Seller",
              required: true,
              areas: [{ ...place, page: 1 }],
            },
            {
              name: "Town",
              type: "text",
              role: "Buyer",
              required: false,
              areas: [{ ...place, page: 1 }],
            },
          ],
        },
      ],
      submitters: [
        {
          role: "Buyer",
          email: "buyer@example.com",
          name: plain,
          values: { Town: `Ulm ${plain}` },
          order: 0,
          external_id: request.requestId,
        },
        {
          role: "Seller",
          email: "seller@example.com",
          values: {},
          order: 1,
          external_id: `${request.requestId}/1`,
        },
      ],
    });
    const file = Buffer.from(document?.file ?? "", "base64");
    expect(file.equals(request.pdf.bytes)).to.equal(true);
    expect(mails).to.deep.equal([
      { to: "buyer@example.com", kind: "request", subject, body },
    ]);
    expect(warnings).to.deep.equal([
      'DocuSeal did not get the value of "Street": the role Buyer has no such field.',
    ]);
    const signingUrls = submitters.map(({ slug }) => `${fake.url}/s/${slug}`);
    expect(signers.map(({ url }) => url)).to.deep.equal(signingUrls);
  });

  it("asks all signers at once without an order", async () => {
    const submitters = ["Buyer", "Seller"].map((role) => ({
      role,
      email: `${role.toLowerCase()}@example.com`,
      order: 0,
    }));
    const { made } = await start({ submitters });
    expect(made.made.order).to.equal("random");
    expect(made.mails).to.have.length(2);
  });

  it("is shown as opened, and as declined with the signer's reason", async () => {
    const { fake, provider } = docuseal;
    const id = (await start()).started.externalId;
    await fake.open(id, "Buyer");
    expect(await getStatus(id)).to.deep.equal(["pending", "opened", "waiting"]);
    await fake.decline(id, "Buyer", "Too dear");
    const { signers } = await provider.status(id);
    expect(signers[0]).to.include({ status: "declined", reason: "Too dear" });
  });

  it("is downloaded with its audit trail, even after the first links have expired, and from the storage to which they redirect", async () => {
    const { fake, provider } = docuseal;
    const id = (await start()).started.externalId;
    await fake.complete(id, "Buyer", { Town: "Ulm" });
    await fake.complete(id, "Seller");
    for (const [laterMs, hasStorage] of [
      [0, false],
      [41 * 60_000, true],
    ] as const) {
      fake.server.clock.advance(laterMs);
      fake.hasStorage = hasStorage;
      const files = await provider.download(id);
      expect(files.map(({ label }) => label)).to.deep.equal([
        "signed",
        "audit",
      ]);
      const text = await pdfText(files[0]?.bytes ?? new Uint8Array());
      expect(text).to.contain("Ulm");
    }
    fake.hasStorage = false;
  });

  it("reminds only the signers whose turn it is", async () => {
    const { started, made } = await start();
    await docuseal.provider.resend(started.externalId);
    expect(made.mails.map(({ to, kind }) => `${kind} ${to}`)).to.deep.equal([
      "request buyer@example.com",
      "reminder buyer@example.com",
    ]);
  });

  it("expires at its time", async () => {
    const { clock } = docuseal.fake.server;
    const expiresAt = new Date(clock.now.getTime() + 60_000);
    const { externalId } = (await start({ expiresAt })).started;
    clock.advance(61_000);
    expect((await getStatus(externalId))[0]).to.equal("expired");
  });

  it("is found later when DocuSeal was too slow to answer", async () => {
    const { fake, provider } = docuseal;
    const request = await signRequest();
    fake.server.faults.next(/^POST .*\/submissions\/pdf$/, "late");
    const error: unknown = await provider
      .start(request, { timeoutMs: 300 })
      .catch(failed);
    expect(isAmbiguous(error)).to.equal(true);
    expect(await provider.find(request.requestId)).to.equal(null);
    await fake.server.catchUp();
    const { externalId } = (await provider.find(request.requestId)) ?? {};
    expect(externalId).to.equal(String(fake.submissions.at(-1)?.id));
  });
});

const failed = (error: unknown) => error;

describe("errors from DocuSeal", () => {
  const docuseal = useDocuseal();

  const noPdf = {
    name: "x",
    bytes: new TextEncoder().encode("no pdf"),
    pages: 2,
  };
  const faults: Record<
    string,
    {
      edition?: FakeDocuseal["edition"];
      isForbidden?: boolean;
      apiKey?: string;
      pdf?: typeof noPdf;
    }
  > = {
    "that it is the free edition": { edition: "free" },
    "that the key is not valid": { apiKey: "nobody knows this one" },
    "that the key lacks a permission": { isForbidden: true },
    "what DocuSeal says of an invalid request": { pdf: noPdf },
  };
  for (const [
    what,
    { edition = "pro", isForbidden = false, ...changes },
    said,
  ] of withRows(
    faults,
    `
    that it is the free edition | unsupported This DocuSeal is the free edition, whose API does not accept PDFs. Use the Pro Edition or DocuSeal's cloud. It says: This feature is available in Pro Edition
    that the key is not valid | auth The API key is not valid. Copy it again from DocuSeal's API settings. It says: Not authenticated
    that the key lacks a permission | forbidden The API key lacks a permission for this. Use the key of an administrator. It says: You are not authorized
    what DocuSeal says of an invalid request | invalid_field The server answered with status 422. It says: The file is no PDF`,
  ))
    it(`say ${what}, and leave nothing`, async () => {
      const { fake } = docuseal;
      const { apiKey = fake.apiKey, ...request } = changes;
      const earlier = fake.submissions.length;
      Object.assign(fake, { edition, isForbidden });
      const error: unknown = await connectedEsign(docusealPlugin, {
        url: fake.url,
        apiKey,
      })
        .start(await signRequest(request))
        .catch(failed);
      Object.assign(fake, { edition: "pro", isForbidden: false });
      expect(isAmbiguous(error)).to.equal(false);
      expect(fake.submissions).to.have.length(earlier);
      const { code, message } = findPlatformError(error) ?? {};
      expect(`${code} ${message}`).to.equal(said);
    });
});

const body = JSON.stringify({
  event_type: "form.completed",
  data: { id: 7, submission_id: 1002, documents: [{ url: "http://evil" }] },
});

describe("a webhook from DocuSeal", () => {
  const docuseal = useDocuseal();
  const parse = (text: string, at = new Date(), provider = docuseal.provider) =>
    provider.parseNotice({
      body: new TextEncoder().encode(text),
      headers: docuseal.fake.webhook.createHeaders(text, { at }),
      receivedAt: new Date(),
    });

  it("names its submission, and has the same id when it is repeated", async () => {
    const at = new Date();
    const first = await parse(body, at);
    expect(first).to.include({ externalId: "1002" });
    expect(first?.id).to.match(/^[\da-f]{64}$/);
    expect(await parse(body, at)).to.deep.equal(first);
    for (const event of [
      { event_type: "submission.completed", data: { id: 1002 } },
      { event_type: "form.started", data: { submission: { id: 1002 } } },
    ])
      expect(await parse(JSON.stringify(event))).to.include({
        externalId: "1002",
      });
  });

  it("is rejected when it is more than five minutes old or early, is about something else, or no secret is set", async () => {
    for (const minutes of [-6, 6])
      expect(
        await parse(body, new Date(Date.now() + minutes * 60_000)),
      ).to.equal(null);
    for (const text of ["", "[]", "{}", '{"event_type":"template.created"}'])
      expect(await parse(text)).to.equal(null);
    const { url, apiKey } = docuseal.fake;
    const withoutSecret = connectedEsign(docusealPlugin, { url, apiKey });
    expect(await parse(body, new Date(), withoutSecret)).to.equal(null);
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
      signatures: { ...fastSettings, pollMs: [3_600_000, 3_600_000] },
    },
  });
  const fake = useFakeDocuseal();
  let caller: TestCaller;
  let templateId = "";
  before(async () => {
    caller = await newCaller(service);
    templateId = await caller.publish({ definition });
    const { credentials } = fake;
    const input = { provider: "docuseal", name: "Signing", credentials };
    const { id } = await json<{ id: string }>(
      caller.post("/api/connections", input),
      201,
    );
    fake.webhook.url = `${service.url}/api/esign/notices/${id}`;
  });

  it("has the fields of its template and none from its data, and comes back signed as soon as a webhook arrives", async () => {
    const { document } = await exported(caller, {
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
    await fake.complete(only?.id ?? 0, "Buyer");
    const path = `/api/signatures/${document.signature?.id}`;
    const { outputs } = await eventually(async () => {
      const request = await readSignature(await caller.get(path));
      return request.status === "completed" && request;
    });
    const labels = outputs.map(({ label }) => label);
    expect(labels).to.deep.equal(["signed", "audit"]);
  });
});
