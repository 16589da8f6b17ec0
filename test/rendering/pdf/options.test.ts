import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  StandardFonts,
} from "@cantoo/pdf-lib";
import { expect } from "chai";
import { PermissionFlag } from "unpdf/pdfjs";
import { addAsset } from "../../support/assets.js";
import { batchWhen, newBatchCaller, sendBatch } from "../../support/batches.js";
import {
  newCaller,
  readError,
  replies,
  type TestCaller,
} from "../../support/caller.js";
import { ofPdf, pdfFacts, usePdfs } from "../../support/read-pdf.js";
import { recordingLog } from "../../support/recording-log.js";
import { printingBy } from "../../support/renderer.js";
import { definition } from "../../support/store.js";

const megabyte = 1024 * 1024;

const setup = {
  title: "Invoice for {{ root.name }}",
  author: '{{ root.seller | default("Acme & Söhne") }}',
  subject: "{{ root.nothing }}",
  keywords: ["invoice", "{{ root.name }}", "{{ root.nothing }}"],
};

const chapters = {
  locale: "de-DE",
  components: [
    { type: "heading", level: 1, text: "Angebot für {{ root.name }}" },
    { type: "text", text: "Einleitung" },
    { type: "page-break" },
    { type: "heading", level: 2, text: "Preise" },
  ],
};

const xml = "<rsm:CrossIndustryInvoice/>";
const invoice = {
  name: "factur-x.xml",
  mimeType: "text/xml",
  relationship: "Alternative",
  description: "Rechnung als Datensatz",
  base64: Buffer.from(xml).toString("base64"),
};

/** A PDF with a page for each text. */
async function pdfWith(...texts: string[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) document.addPage().drawText(text, { font });
  return Buffer.from(await document.save());
}

const sent = (bytes: Buffer) => ({ base64: bytes.toString("base64") });

async function isLocked(bytes: Buffer, password?: string): Promise<boolean> {
  return pdfFacts(bytes, password).then(
    () => false,
    (error: Error) => error.name === "PasswordException",
  );
}

describe("a PDF", () => {
  const printed: Buffer[] = [];
  const { log, text: readLog } = recordingLog();
  const { service, caller, pdf, rejection } = usePdfs({
    config: { maxBodyBytes: 100 * megabyte },
    log,
    replace: printingBy(async (job, printer) => {
      const result = await printer(job);
      printed.push(result.bytes);
      return result;
    }),
  });
  const facts = async (template: object, options?: object) =>
    pdfFacts(await pdf(template, options && ofPdf(options)));
  const addPdf = async (owner: TestCaller, bytes: Buffer) => {
    const { id } = await addAsset(service, owner, "terms.pdf", bytes);
    return { asset: id };
  };

  it("without edits is stored byte for byte as it was printed", async () => {
    const templateId = await caller().publish({
      definition: { ...definition, pdf: { title: "A {{ root.name }}" } },
    });
    const body = { templateId, formats: ["pdf"], data: { name: "Ada" } };
    const response = await caller().post("/api/export", body);
    const { pdf: file } = await replies.exported(response);
    const stored = await (await fetch(file?.url ?? "")).arrayBuffer();
    expect(printed.at(-1)?.equals(Buffer.from(stored))).to.equal(true);
    expect(response.headers.get("server-timing")).not.to.contain("finish");
  });

  it("has properties from the template, with the record's data", async () => {
    const { info } = await facts({ pdf: setup });
    expect(info).to.include({
      Title: "Invoice for Ada",
      Author: "Acme & Söhne",
      Keywords: "invoice, Ada",
      Creator: "Platen",
    });
    expect(info).not.to.have.property("Subject");
  });

  it("has properties from the request, which override the template's", async () => {
    const options = { title: "Rechnung", subject: "März", keywords: [] };
    const { info } = await facts({ pdf: setup }, options);
    expect(info).to.include({ Title: "Rechnung", Subject: "März" });
    expect(info).to.include({ Author: "Acme & Söhne" });
    expect(info["Keywords"] ?? "").to.equal("");
  });

  it("has no structure unless it is requested", async () => {
    const { isTagged, bookmarks } = await facts(chapters);
    expect({ isTagged, bookmarks }).to.eql({ isTagged: false, bookmarks: [] });
    const asked = { ...chapters, pdf: { tagged: true, outline: true } };
    const off = await facts(asked, { tagged: false, outline: false });
    expect(off.isTagged).to.equal(false);
  });

  it("has tags, title and language when the template asks for tags", async () => {
    const template = { ...chapters, pdf: { tagged: true } };
    const { isTagged, roles, info } = await facts(template);
    expect(isTagged).to.equal(true);
    expect(roles).to.include.members(["H1", "P"]);
    expect(info).to.include({ Language: "de-DE" });
    expect(info["Title"]).to.match(/\w/);
    expect((await pdf(template)).includes("/DisplayDocTitle true")).to.equal(
      true,
    );
  });

  it("has a bookmark for each heading, in order, by the request", async () => {
    const { bookmarks } = await facts(chapters, { outline: true });
    expect(bookmarks).to.eql(["Angebot für Ada", "Preise"]);
  });

  it("has attached files with name, description and content", async () => {
    const { attachments, pages } = await facts({}, { attachments: [invoice] });
    expect(attachments).to.eql([
      { name: "factur-x.xml", text: xml, description: invoice.description },
    ]);
    expect(pages).to.eql(["Hello Ada"]);
  });

  it("keeps names of attached files with parentheses and other scripts, in the order of their names", async () => {
    const names = ["Ω (2).xml", "a(1.xml"];
    const attachments = names.map((name) => ({ ...invoice, name }));
    const bytes = await pdf({}, ofPdf({ attachments }));
    const read = (await pdfFacts(bytes)).attachments;
    expect(read.map(({ name }) => name)).to.have.members(names);
    const { catalog } = await PDFDocument.load(bytes);
    const tree = catalog
      .lookup(PDFName.of("Names"), PDFDict)
      .lookup(PDFName.of("EmbeddedFiles"), PDFDict)
      .lookup(PDFName.of("Names"), PDFArray);
    const keys = [0, 2].map((at) => tree.lookup(at, PDFHexString).decodeText());
    expect(keys).to.eql(["a(1.xml", "Ω (2).xml"]);
  });

  it("has attached files as its associated files, each with its relationship and kind", async () => {
    const bytes = await pdf({}, ofPdf({ attachments: [invoice] }));
    const { catalog, context } = await PDFDocument.load(bytes);
    const files = catalog.lookup(PDFName.of("AF"), PDFArray);
    expect(String(files.lookup(0, PDFDict))).to.match(
      /\/AFRelationship \/Alternative/,
    );
    const objects = context.enumerateIndirectObjects();
    const streams = objects.filter(([, object]) =>
      String(object).includes("/Subtype /text#2Fxml"),
    );
    expect(streams).to.have.length(1);
  });

  it("has joined PDFs before and after its pages, in the requested order", async () => {
    const options = {
      before: [sent(await pdfWith("cover")), sent(await pdfWith("a", "b"))],
      after: [sent(await pdfWith("end"))],
    };
    const { pages } = await facts({}, options);
    expect(pages).to.eql(["cover", "a", "b", "Hello Ada", "end"]);
  });

  it("has the stored PDFs that the template names, or others by the request", async () => {
    const terms = await addPdf(caller(), await pdfWith("terms"));
    const template = { pdf: { after: [terms] } };
    expect((await facts(template)).pages).to.eql(["Hello Ada", "terms"]);
    const { pages } = await facts(template, { after: [] });
    expect(pages).to.eql(["Hello Ada"]);
  });

  it("keeps its tags and bookmarks when PDFs are joined to it", async () => {
    const components = [{ type: "heading", level: 1, text: "One" }];
    const tagged = await pdf({ components }, ofPdf({ outline: true }));
    const options = { outline: true, before: [sent(tagged)] };
    const { bookmarks, roles, pages } = await facts({ components }, options);
    expect(pages).to.eql(["One", "One"]);
    expect(bookmarks).to.eql(["One"]);
    expect(roles, "of the page before").not.to.include("H1");
  });

  it("is edited in a batch as the batch requests, which cannot have a password, since it stores its request", async () => {
    const owner = await newBatchCaller(service);
    const templateId = await owner.publish();
    const request = (options: object) => ({
      templateId,
      formats: ["pdf"],
      items: [{ data: { name: "Ada" } }, { data: { name: "Bob" } }],
      ...ofPdf(options),
    });
    const { batchId } = await sendBatch(
      owner,
      request({ outline: true, author: "Acme" }),
    );
    const { documents } = await batchWhen(owner, batchId);
    expect(documents).to.have.length(2);
    for (const { outputs } of documents) {
      const response = await fetch(outputs[0]?.url ?? "");
      const { info, isTagged } = await pdfFacts(
        Buffer.from(await response.arrayBuffer()),
      );
      expect(info).to.include({ Author: "Acme" });
      expect(isTagged).to.equal(true);
    }
    const response = await owner.post(
      "/api/export/batch",
      request({ password: { user: "hidden-1" } }),
    );
    expect(response.status).to.equal(400);
    const error = await readError(response);
    expect(error).to.contain("$.renderOptions.pdf.password");
    const sql = "SELECT * FROM batch";
    const stored: unknown = await service.store.read.query(sql);
    expect(error + JSON.stringify(stored)).not.to.contain("hidden-1");
  });

  describe("with a password", () => {
    const user = "schlüssel 1";
    const owner = "owner-2";

    it("opens with the user and the owner password, and with no other", async () => {
      const bytes = await pdf({}, ofPdf({ password: { user, owner } }));
      for (const password of [user, owner])
        expect((await pdfFacts(bytes, password)).pages).to.eql(["Hello Ada"]);
      expect(await isLocked(bytes)).to.equal(true);
      expect(await isLocked(bytes, "schlüssel 2")).to.equal(true);
      expect(bytes.includes("/AESV3")).to.equal(true);
      expect(bytes.includes("Hello Ada")).to.equal(false);
    });

    it("allows everything except the permissions that are left out", async () => {
      const password = { user, permissions: ["print"] };
      const some = await pdfFacts(await pdf({}, ofPdf({ password })), user);
      expect(some.permissions).to.include.members([
        PermissionFlag.PRINT,
        PermissionFlag.COPY_FOR_ACCESSIBILITY,
      ]);
      const denied = [PermissionFlag.COPY, PermissionFlag.MODIFY_CONTENTS];
      for (const flag of denied) expect(some.permissions).not.to.include(flag);
      const all = await pdf({}, ofPdf({ password: { user } }));
      expect((await pdfFacts(all, user)).permissions).to.include.members([
        ...denied,
        PermissionFlag.ASSEMBLE,
      ]);
    });

    it("opens without a password when only an owner password is set", async () => {
      const password = { owner, permissions: [] };
      const { pages, permissions } = await facts({}, { password });
      expect(pages).to.eql(["Hello Ada"]);
      expect(permissions).not.to.include(PermissionFlag.PRINT);
    });

    it("has it in no log entry and in no row, also when the render fails", async () => {
      const secret = "correct-horse-battery";
      const owned = await newCaller(service);
      const templateId = await owned.publish();
      const password = { user: secret, owner: `${secret}-2` };
      const request = { templateId, formats: ["pdf"], ...ofPdf({ password }) };
      for (const [change, status] of [
        [{}, 200],
        [{ data: { constructor: 1 } }, 400],
        [{ formats: ["x"] }, 400],
      ] as const) {
        const body = { ...request, ...change };
        const response = await owned.post("/api/export", body);
        expect(response.status).to.equal(status);
      }
      expect(readLog()).to.contain('"msg":"rendered"');
      const sql = `SELECT * FROM document WHERE organization_id = '${owned.organizationId}'`;
      const rows: unknown = await service.store.read.query(sql);
      expect(rows).to.have.length(2);
      expect(readLog() + JSON.stringify(rows)).not.to.contain(secret);
    });
  });

  it("is rejected with the path of a PDF that cannot be joined, and of files that are too large together", async () => {
    const locked = await pdf({}, ofPdf({ password: { user: "u" } }));
    const stranger = await newCaller(service);
    const foreign = await addPdf(stranger, await pdfWith("foreign"));
    const base64 = Buffer.alloc(26 * megabyte).toString("base64");
    const zip = { name: "a.zip", mimeType: "application/zip", base64 };
    for (const [options, path, reason] of [
      [{ after: [sent(locked)] }, "after[0]", "encrypted"],
      [{ after: [foreign] }, "after[0]", "no such stored pdf"],
      [
        { after: [{ base64 }], attachments: [zip] },
        "attachments[0]",
        "larger than 52428800 bytes",
      ],
    ] as const) {
      const error = await rejection({}, ofPdf(options));
      expect(error).to.contain(`$.renderOptions.pdf.${path}`);
      expect(error).to.contain(reason);
    }
  });
});
