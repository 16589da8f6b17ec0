import { expect } from "chai";
import { before, describe, it } from "mocha";
import { signatureSchema } from "../../../core/api/routes/signatures.js";
import { SignatureRequest } from "../../../core/storage/database/index.js";
import { newCaller, type TestCaller, reader } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import { exported, useService } from "../../support/service.js";
import { pdfText } from "../../support/read-pdf.js";
import { publish } from "../../support/store.js";

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
    templateId = await publish(service.store, caller, { definition });
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

  it("asks for one answer for each row whose name differs, and then leads to the page that the template names", async () => {
    const named = (name: string, collectionId = "line") => ({
      type: "container",
      collection: { path: "root.lines", collectionId },
      components: [{ ...field(name, "text"), height: "12mm" }],
    });
    const definition = {
      schema: [
        {
          id: "root",
          fields: [],
          connection: {
            redirectUrl: "https://example.com/thanks/{{ root.number }}",
          },
        },
      ],
      components: [
        field("Here", "signature"),
        named("Note on {{ line.item }}"),
        named("Town", "other"),
      ],
    };
    const { document } = await exported(caller, {
      templateId: await publish(service.store, caller, { definition }),
      formats: ["pdf"],
      data: { number: 7, lines: [{ item: "Chairs" }, { item: "Desks & {{" }] },
      sendForSignature: true,
      esignSettings: {
        submitters: [
          {
            role: "Buyer",
            email: "ada@example.com",
            values: { "Note on Chairs": "four of them" },
          },
        ],
      },
    });
    expect(document.signature?.warnings).to.equal(undefined);
    const { pathname } = new URL(document.signature?.submitters[0]?.url ?? "");
    const page = await (await fetch(service.url + pathname)).text();
    const labels = [...page.matchAll(/<label>(.*?) <small>/g)].map(
      ([, label]) => label,
    );
    expect(labels).to.deep.equal([
      "Note on Chairs",
      "Note on Desks &amp; {\u00a0{",
      "Town",
      "Why not",
    ]);
    expect(page).to.contain("four of them").and.not.contain("example.com/");
    const signed = await fetch(service.url + pathname, {
      method: "POST",
      body: new URLSearchParams({
        act: "sign",
        "field-0": "Five",
        "field-1": "Six",
        "field-2": "Ulm",
      }),
    });
    expect(await signed.text()).to.contain(
      'href="https://example.com/thanks/7"',
    );
    const id = document.signature?.id ?? "";
    await service.store.unitOfWork.run((tx) =>
      tx.update(SignatureRequest, { id }, { updatedAt: new Date(0) }),
    );
    await caller.get(`/api/signatures/${id}`);
    const [output] = await eventually(async () => {
      const now = await readSignature(
        await caller.get(`/api/signatures/${id}`),
      );
      return now.status === "completed" && now.outputs;
    });
    const file = await fetch(output?.url ?? "");
    const text = await pdfText(new Uint8Array(await file.arrayBuffer()));
    expect(text.match(/Five|Six|Ulm/g)).to.deep.equal([
      "Five",
      "Six",
      "Ulm",
      "Ulm",
    ]);
  });
});
