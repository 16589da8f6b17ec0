import { expect } from "chai";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import {
  newId,
  SigningCertificate,
} from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import {
  newCaller,
  readError,
  replies,
  type TestCaller,
} from "../support/caller.js";
import {
  issueCertificate,
  issueChain,
  toPkcs12,
} from "../support/certificates.js";
import { readPdf } from "../support/read-pdf.js";
import { useService } from "../support/service.js";
import { readSignature } from "../support/signatures.js";
import { definition } from "../support/store.js";

const SHA_256 = "2.16.840.1.101.3.4.2.1";
const SHA_384 = "2.16.840.1.101.3.4.2.2";
const SHA_512 = "2.16.840.1.101.3.4.2.3";

describe("a PDF that is signed with the organization's certificate", () => {
  const service = useService();
  const { root, intermediate, signer } = issueChain();
  let caller: TestCaller;

  before(async () => {
    caller = await newBatchCaller(service);
    await store(caller, await toPkcs12(signer, intermediate, root));
  });

  const save = (template: object, owner = caller) =>
    owner.publish({ definition: { ...definition, ...template } });
  const send = async (
    template: object,
    pdf: object | null = null,
    owner = caller,
  ) =>
    owner.post("/api/export", {
      templateId: await save(template, owner),
      formats: ["pdf"],
      data: { name: "Ada" },
      ...(pdf && { renderOptions: { pdf } }),
    });
  const print = async (template: object, pdf: object | null = null) => {
    const result = await replies.exported(await send(template, pdf));
    return download(result.pdf?.url);
  };
  const read = (bytes: Uint8Array) => readSignature(bytes, root.certificate);
  const SIGNED = { pdf: { sign: true } };

  it("is signed as a whole, with the whole chain and the attributes of PAdES", async () => {
    const bytes = await print(SIGNED);
    const signature = await read(bytes);
    expect(signature).to.deep.include({
      isIntact: true,
      digestAlgorithm: SHA_256,
      timestampedAt: null,
      unusedBytes: 0,
    });
    expect(signature?.names).to.have.members([
      "Example",
      "Example Issuer",
      "Example Root",
    ]);
    // The signing time is in the PDF: PAdES forbids it among these.
    expect(signature?.attributes).to.have.members([
      "1.2.840.113549.1.9.3",
      "1.2.840.113549.1.9.4",
      "1.2.840.113549.1.9.16.2.47",
    ]);
    expect((await readPdf(bytes))[0]?.text).to.include("Ada");
  });

  it("is no longer intact when one byte of it is changed", async () => {
    const bytes = await print(SIGNED);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    expect(await read(bytes)).to.deep.include({ isIntact: false });
  });

  it("is signed when the request says so, and not when it says otherwise", async () => {
    expect(await read(await print({}))).to.equal(null);
    expect(await read(await print({}, { sign: true }))).to.deep.include({
      isIntact: true,
    });
    expect(await read(await print(SIGNED, { sign: false }))).to.equal(null);
  });

  it("is signed after all other changes", async () => {
    const bytes = await print(SIGNED, {
      title: "Report",
      conformance: ["pdf/a-3a", "pdf/ua-1"],
      attachments: [
        { name: "a.xml", mimeType: "text/xml", base64: "PGEvPg==" },
      ],
    });
    expect(await read(bytes)).to.deep.include({ isIntact: true });
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(pdf.getTitle()).to.equal("Report");
    expect(pdf.getPage(0).node.get(PDFName.of("Tabs"))?.toString()).to.equal(
      "/S",
    );
  });

  for (const [key, digestAlgorithm] of [
    ["P-256", SHA_256],
    ["P-384", SHA_384],
    ["P-521", SHA_512],
  ] as const)
    it(`is hashed as the elliptic curve ${key} requires`, async () => {
      const owner = await newCaller(service);
      const own = issueCertificate({ issuer: intermediate, key });
      await store(owner, await toPkcs12(own, intermediate, root));
      const response = await send(SIGNED, null, owner);
      const { pdf } = await replies.exported(response);
      const signature = await read(await download(pdf?.url));
      expect(signature).to.deep.include({ isIntact: true, digestAlgorithm });
      // What ECDSA returns differs in length.
      expect(signature?.unusedBytes).to.be.within(0, 12);
    });

  it("is refused before it is printed when the organization has no certificate", async () => {
    const other = await newCaller(service);
    const template = await readError(await send(SIGNED, null, other));
    expect(template).to.match(/^The PDF cannot be signed\. \$\.pdf\.sign: /);
    expect(template).to.include(
      "The organization has no signing certificate. Store one with PUT /api/signing-certificate",
    );
    const request = await readError(await send({}, { sign: true }, other));
    expect(request).to.include("$.renderOptions.pdf.sign: ");
  });

  it("is refused when the certificate has expired", async () => {
    const other = await newCaller(service);
    await store(other, await toPkcs12(signer));
    const expired = issueCertificate({ validUntil: new Date("2021-03-04") });
    await service.store.unitOfWork.run((tx) =>
      tx.update(
        SigningCertificate,
        { organizationId: other.organizationId },
        {
          id: newId(),
          certificates: [Buffer.from(expired.der).toString("base64")],
        },
      ),
    );
    const error = await readError(await send(SIGNED, null, other));
    expect(error).to.include(
      "The organization's signing certificate expired on 2021-03-04. Replace it",
    );
  });

  it("is refused with a password, which a digital signature does not allow", async () => {
    const password = { user: "open" };
    const one = await readError(await send({}, { sign: true, password }));
    expect(one).to.include(
      "password: cannot be combined with a digital signature; set sign to false",
    );
    const other = await readError(await send(SIGNED, { password }));
    expect(other).to.include("$.renderOptions.pdf.password");
    const response = await send(SIGNED, { password, sign: false });
    expect(response.status).to.equal(200);
  });

  it("has no fields of the signatures of PDFs that are joined to it", async () => {
    const terms = await print(SIGNED);
    const after = [{ base64: terms.toString("base64") }];
    const joined = await print(SIGNED, { after });
    expect(await read(joined)).to.deep.include({ isIntact: true });
    const unsigned = await print({}, { after });
    expect(unsigned.includes("/Sig")).to.equal(false);
    expect(await readPdf(unsigned)).to.have.length(2);
  });

  it("is each document of a batch and, once more, the joined file", async () => {
    const templateId = await save(SIGNED);
    const { batchId } = await sendBatch(caller, {
      templateId,
      formats: ["pdf"],
      items: ["Ada", "Bob", "Cid"].map((name) => ({ data: { name } })),
      merge: { cover: await save(SIGNED), separators: "blank" },
    });
    const { merged } = await batchWhen(
      caller,
      batchId,
      (batch) => batch.merged?.status === "succeeded",
    );
    const { data } = await replies.documents(
      await caller.get(`/api/documents?batchId=${batchId}`),
    );
    expect(data).to.have.length(3);
    for (const { id } of data) {
      const { outputs } = await replies.document(
        await caller.get(`/api/documents/${id}`),
      );
      const bytes = await download(outputs[0]?.url);
      expect(await read(bytes)).to.deep.include({ isIntact: true });
    }
    const response = await caller.get(`/api/batches/${batchId}/merged`);
    const file = Buffer.from(await response.arrayBuffer());
    expect(await read(file)).to.deep.include({ isIntact: true });
    expect(file.length).to.equal(merged?.sizeBytes);
    expect(await readPdf(file)).to.have.length(merged?.pageCount ?? 0);
    const { catalog } = await PDFDocument.load(file);
    expect(String(catalog.lookup(PDFName.of("AcroForm")))).to.match(
      /\/Fields \[ \d+ 0 R \]/,
    );
  });
});

async function store(owner: TestCaller, pkcs12: Buffer): Promise<void> {
  const response = await owner.put("/api/signing-certificate", {
    pkcs12: pkcs12.toString("base64"),
    password: "secret",
  });
  expect(response.status, await response.clone().text()).to.equal(200);
}

async function download(url = ""): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
