import { signatureSchema } from "../../../core/signatures/index.js";
import { expect } from "chai";
import type { ConnectedEsign } from "../../../core/integrations/host/index.js";
import type { StartedRequest } from "../../../core/plugin-api/index.js";
import { SignatureRequest } from "../../../core/storage/database/index.js";
import { esignContractSuite } from "../../../plugins/contract-suite/index.js";
import { demoEsignPlugin } from "../../../plugins/demo-esign/plugin.js";
import { ConnectionService } from "../../../core/integrations/connections/index.js";
import { newCaller, type TestCaller, reader } from "../../support/caller.js";
import { testContract } from "../../support/contract.js";
import { eventually } from "../../support/eventually.js";
import { pdfText } from "../../support/read-pdf.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService, exported } from "../../support/service.js";
import { box, signRequest } from "../../support/signing-documents.js";
import { createSubject } from "./demo-subject.js";

describe("the provider demo-esign", () =>
  testContract(esignContractSuite(createSubject(demoEsignPlugin))));

const answer = (name: string, y: number) =>
  box("Buyer", { name, type: "text", y, required: false });

const post = (address: string, form: Record<string, string>) =>
  fetch(address, { method: "POST", body: new URLSearchParams(form) });

describe("the demo provider", () => {
  const { log, text: logged } = recordingLog();
  const service = useService({ log });
  let provider: ConnectedEsign;
  before(async () => {
    const caller = await newCaller(service);
    const made = await caller.post("/api/connections", {
      provider: "demo-esign",
      name: "Demo",
      credentials: {},
    });
    expect(made.status).to.equal(201);
    const id = String(Reflect.get(Object(await made.json()), "id"));
    const connections = service.container.resolve(ConnectionService);
    ({ provider } = await connections.openEsign(caller.organizationId, id));
  });
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) =>
    provider.start(await signRequest(changes));
  /** Of the signer's page, at the service's own address. */
  const getAddress = ({ signers }: StartedRequest, place: number) => {
    const { pathname } = new URL(signers[place]?.url ?? "");
    return service.url + pathname;
  };
  it("says in its connection test and on its pages that it is a demo", async () => {
    const info = await provider.check();
    expect(info.warnings.join()).to.contain("not legally binding");
    const page = await fetch(getAddress(await start(), 0));
    expect(await page.text()).to.contain("DEMO, not legally binding");
    expect(page.headers.get("content-security-policy")).to.contain(
      "default-src 'none'",
    );
  });

  it("lets signers sign one after the other and returns the signed file", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const started = await start({
      fields: [
        box("Buyer"),
        box("Buyer", { name: "Town", type: "text", y: 0.6, required: true }),
        box("Buyer", { name: "Day", type: "date", y: 0.7 }),
        box("Seller", { page: 2 }),
      ],
    });
    const [buyer, seller] = [getAddress(started, 0), getAddress(started, 1)];
    expect(await (await fetch(seller)).text()).to.contain("Others sign before");
    expect((await post(buyer, { act: "sign" })).status).to.equal(400);
    await post(buyer, { act: "sign", "field-0": "Ulm" });
    await post(seller, { act: "sign" });
    const { status } = await provider.status(started.externalId);
    expect(status).to.equal("completed");
    const [signed, audit] = await provider.download(started.externalId);
    const text = await pdfText(signed?.bytes ?? new Uint8Array());
    expect(text).to.contain("Ada").and.contain("Ulm").and.contain(today);
    for (const file of [signed, audit])
      expect(await pdfText(file?.bytes ?? new Uint8Array())).to.contain(
        "DEMO, not legally binding",
      );
  });

  it("asks for one answer for each name, and then leads to the page that the request names", async () => {
    const started = await start({
      fields: [
        box("Buyer"),
        answer("Note on Chairs", 0.2),
        answer("Note on Desks & <b>", 0.3),
        answer("Town", 0.6),
        answer("Town", 0.7),
      ],
      submitters: [
        {
          role: "Buyer",
          email: "ada@example.com",
          order: 0,
          values: { "Note on Chairs": "four of them" },
        },
      ],
      redirectUrl: "https://example.com/thanks/7",
    });
    const buyer = getAddress(started, 0);
    const page = await (await fetch(buyer)).text();
    const labels = page.matchAll(/<label>(.*?) <small>/g);
    expect(Array.from(labels, ([, label]) => label)).to.deep.equal([
      "Note on Chairs",
      "Note on Desks &amp; &lt;b&gt;",
      "Town",
      "Why not",
    ]);
    expect(page).to.contain("four of them").and.not.contain("example.com/");
    const answers = { "field-0": "Five", "field-1": "Six", "field-2": "Ulm" };
    const signed = await post(buyer, { act: "sign", ...answers });
    expect(await signed.text()).to.contain(
      'href="https://example.com/thanks/7"',
    );
    const [file] = await provider.download(started.externalId);
    const text = await pdfText(file?.bytes ?? new Uint8Array());
    expect(text.match(/Five|Six|Ulm/g)).to.deep.equal([
      "Five",
      "Six",
      "Ulm",
      "Ulm",
    ]);
  });

  it("lets a signer decline once, with a reason", async () => {
    const started = await start();
    const buyer = getAddress(started, 0);
    await post(buyer, { act: "decline", reason: "Too dear" });
    await post(buyer, { act: "sign" });
    const { status, signers } = await provider.status(started.externalId);
    expect(status).to.equal("declined");
    expect(signers[0]).to.include({ status: "declined", reason: "Too dear" });
  });

  it("starts one request, however often it is called", async () => {
    const request = await signRequest();
    const [one, other] = await Promise.all([
      provider.start(request),
      provider.start(request),
    ]);
    expect(one).to.deep.equal(other);
    const found = await provider.find(request.requestId);
    expect(found?.externalId).to.equal(one.externalId);
    expect(await provider.find("another")).to.equal(null);
  });

  it("does not let anyone sign a canceled or completed request", async () => {
    const canceled = await start();
    await provider.cancel(canceled.externalId);
    const over = await start({ expiresAt: new Date(Date.now() - 1000) });
    for (const [started, wanted] of [
      [canceled, "canceled"],
      [over, "expired"],
    ] as const) {
      await post(getAddress(started, 0), { act: "sign" });
      const { status } = await provider.status(started.externalId);
      expect(status).to.equal(wanted);
    }
  });

  it("shows the document only to its signers", async () => {
    const started = await start();
    const buyer = getAddress(started, 0);
    const pdf = await fetch(`${buyer}/document.pdf`);
    expect(pdf.headers.get("content-type")).to.equal("application/pdf");
    const wrong = [
      `${buyer.slice(0, -1)}_`,
      `${buyer}/other.pdf`,
      `${buyer}/../x`,
      `${service.url}/esign/nobody/${started.externalId}`,
    ];
    for (const address of wrong)
      expect((await fetch(address)).status, address).to.equal(404);
  });

  it("keeps the tokens of its pages out of the log", async () => {
    const buyer = getAddress(await start(), 0);
    await fetch(buyer);
    const [token = ""] = buyer.split("/").slice(-1);
    expect(logged()).to.contain("/esign/").and.not.contain(token);
  });

  it("escapes text from the data", async () => {
    const started = await start({ title: '<img src=x onerror="1">' });
    const page = await (await fetch(getAddress(started, 0))).text();
    expect(page).not.to.contain("<img");
  });
});

const readSignature = reader(signatureSchema);

const field = (name: string, kind: string) => ({
  type: "sign-field",
  field: kind,
  name,
  submitter: "Buyer",
});

describe("a document sent to the demo provider", () => {
  const service = useService({
    config: { queue: { serverUrl: null, pollMs: 20, leaseMs: 30_000 } },
  });
  let caller: TestCaller;
  let templateId = "";
  before(async () => {
    caller = await newCaller(service);
    const components = [field("Here", "signature"), field("Town", "text")];
    const definition = { schema: [], components };
    templateId = await caller.publish({ definition });
    const input = { provider: "demo-esign", name: "Demo", credentials: {} };
    expect((await caller.post("/api/connections", input)).status).to.equal(201);
  });

  it("is signed by a click and returns signed", async () => {
    const { document } = await exported(caller, {
      templateId,
      formats: ["pdf"],
      data: {},
      sendForSignature: true,
      esignSettings: {
        submitters: [
          { role: "Buyer", email: "ada@example.com", name: "Ada Lovelace" },
        ],
      },
    });
    const id = document.signature?.id ?? "";
    const sent = await readSignature(await caller.get(`/api/signatures/${id}`));
    // Else the look that the click asks for would wait a while.
    await service.store.unitOfWork.run((tx) =>
      tx.update(SignatureRequest, { id }, { updatedAt: new Date(0) }),
    );
    const url = new URL(sent.submitters[0]?.url ?? "");
    const form = { act: "sign", "field-0": "Ulm" };
    await fetch(service.url + url.pathname, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    const { outputs } = await eventually(async () => {
      const now = await readSignature(
        await caller.get(`/api/signatures/${id}`),
      );
      return now.status === "completed" && now;
    });
    expect(outputs.map(({ label }) => label)).to.deep.equal([
      "signed",
      "audit",
    ]);
    const [signed, audit] = await Promise.all(
      outputs.map(async (output) =>
        pdfText(new Uint8Array(await (await fetch(output.url)).arrayBuffer())),
      ),
    );
    expect(signed).to.contain("Ada Lovelace").and.contain("Ulm");
    expect(audit).to.contain("Ada Lovelace").and.contain("1 page, ");
  });
});
