import { PDFDict, PDFDocument, PDFName, PDFRef } from "@cantoo/pdf-lib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { expect } from "chai";
import { PlatenError } from "../../core/plugin-api/index.js";
import { Document } from "../../core/storage/database/index.js";
import { replies, readError } from "../support/caller.js";
import { readPdf, pdfText, pdfFacts, getLinks } from "../support/read-pdf.js";
import {
  drawnEdges,
  getEdges,
  signField,
  useDocumentsToSign,
} from "../support/signing-documents.js";

const cell = (components: object[]) => ({ type: "table-cell", components });

const row = (components: object[], more: object = {}) => ({
  type: "table-row",
  components: [cell(components)],
  ...more,
});

const plain = (name: string, width: string) => ({
  type: "sign-field",
  field: "text",
  name,
  submitter: "Buyer",
  width,
});

const invisible =
  "is on no page: it is hidden or has no size. Give it a width and a height, or a condition that leaves it out";

describe("the fields of a document", () => {
  const { sent, rejection } = useDocumentsToSign();

  it("are one for each element of a collection, each with its role", async () => {
    const party = {
      ...signField("Signature", { submitter: " {{ party.role }} " }),
      collection: { collectionId: "party", path: "root.parties" },
    };
    const data = { parties: ["A", "B", "A"].map((role) => ({ role })) };
    const { boxes } = await sent({ components: [party] }, { data });
    expect(boxes.map(({ id, role }) => `${id}${role}`)).to.eql([
      "1A",
      "2B",
      "3A",
    ]);
    const places = boxes.map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).to.equal(3);
  });

  it("are separated by gaps, side by side and below each other, and two of 50% fit in one line", async () => {
    const { boxes, pdf } = await sent({
      components: [
        plain("a", "50%"),
        plain("b", "50%"),
        plain("c", "50mm"),
        plain("d", "50mm"),
        plain("e", "80mm"),
      ],
    });
    const [paper] = await readPdf(pdf.bytes);
    if (!paper) throw new Error("the document has no page");
    const [a, b, c, d, e] = boxes.map((box) => getEdges(box, paper));
    const gaps = [
      (b?.left ?? 0) - (a?.right ?? 0),
      (d?.left ?? 0) - (c?.right ?? 0),
      (c?.top ?? 0) - (a?.bottom ?? 0),
      (e?.top ?? 0) - (c?.bottom ?? 0),
    ];
    for (const [at, gap] of gaps.entries())
      expect(gap).to.be.closeTo(at < 2 ? 8 : 6, 0.6);
    expect(a?.top).to.be.closeTo(b?.top ?? 0, 0.6);
  });

  it("appear on each page when a table's header row contains them", async () => {
    const rows = Array.from({ length: 60 }, () =>
      row([{ type: "text", text: "Row" }]),
    );
    const head = row([signField("Initials")], { header: true });
    const table = { type: "table", components: [head, ...rows] };
    const { boxes, pages } = await sent({ components: [table] });
    expect(pages).to.be.greaterThan(1);
    expect(boxes.map(({ page }) => page)).to.eql(
      Array.from({ length: pages }, (_none, at) => at + 1),
    );
    expect(new Set(boxes.map(({ id }) => id)).size).to.equal(pages);
  });

  it("move to the next page as a whole when they do not fit", async () => {
    const fields = Array.from({ length: 9 }, (_none, at) => [
      { type: "spacer", height: `${17 + at}mm` },
      signField(`Signature ${at}`, { height: "30mm" }),
    ]);
    const { boxes, pdf } = await sent({ components: fields.flat() });
    expect(boxes).to.have.length(9);
    const { bytes } = pdf;
    const printed = await readPdf(bytes);
    for (const [at, paper] of printed.entries()) {
      const edges = boxes
        .filter(({ page }) => page === at + 1)
        .map((box) => getEdges(box, paper));
      for (const { top, bottom } of edges)
        expect(bottom - top).to.be.closeTo((30 * 72) / 25.4, 1);
      const drawn = await drawnEdges(bytes, at + 1);
      expect(Math.max(...edges.map(({ bottom }) => bottom))).to.be.closeTo(
        drawn.bottom,
        1,
      );
    }
  });

  for (const [description, more, message] of [
    ["hidden", { style: { visibility: "hidden" } }, invisible],
    ["without a height", { height: "0mm", style: {} }, invisible],
    [
      "higher than a page",
      { height: "700mm" },
      "is taller than a page. Give it a smaller height",
    ],
  ] as const)
    it(`cannot be signed when one is ${description}`, async () => {
      const error = await rejection({ components: [signField("Here", more)] });
      expect(error).to.equal(`The sign-field "Here" of "Buyer" ${message}.`);
    });
});

const tag = "{{x;type=signature;role=Buyer}}";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text y="20">${tag}</text><text y="39"><![CDATA[{]]>{y}}</text></svg>`;

/** As PDFium reads it, which providers use. */
async function textByPdfium(pdf: Buffer): Promise<string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const texts = Array.from({ length: document.getPageCount() }, (_none, at) =>
    document.getPage(at).getText(),
  );
  document.destroy();
  library.destroy();
  return texts.join("\n");
}

describe("field tags in a record", () => {
  /** Everything that shows what a record brings; `\{{mine}}` is the template's own. */
  const template = {
    page: {
      header: [{ type: "text", text: "{{ root.a }}" }],
      footer: [
        { type: "page-number", format: "{page}" },
        { type: "text", text: ["{{ root.a }} ", { pageNumber: "page" }] },
      ],
      watermark: { text: "{{ root.a }}", fontSize: "9pt" },
    },
    components: [
      { type: "text", text: "\\{{mine}}" },
      { type: "text", text: "{{ root.a }}" },
      { type: "text", text: "{{ root.open }}{{ root.open }}z}}" },
      { type: "markdown", value: "{{ root.a }} **{**{b}}" },
      { type: "html", value: "<i>{</i>{{ root.open }}c}} {{ root.soft }}" },
      { type: "html", value: "{{ root.narrow }}" },
      { type: "image", src: "{{ root.svg }}" },
      { type: "image", src: "https://localhost/none.png", alt: "{{ root.a }}" },
      {
        type: "chart",
        chart: "bar",
        data: "root.rows",
        label: "name",
        series: [{ field: "n" }],
      },
      {
        type: "barcode",
        symbology: "code128",
        value: "{{ root.open }}{{ root.open }}d}}",
        showText: true,
      },
      signField("Signature"),
    ],
  };

  const data = {
    a: tag,
    open: "{",
    soft: "{\u00ad{e}\u2060}",
    svg: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
    narrow: `<p style="width:1px">{{n}}</p>`,
    rows: [{ name: tag, n: 1 }],
  };

  const { sent } = useDocumentsToSign();
  let pdf: Buffer;
  before(async () => {
    ({
      pdf: { bytes: pdf },
    } = await sent(template, { data }));
  });

  for (const [reader, read] of [
    ["PDFium", textByPdfium],
    ["PDF.js", pdfText],
  ] as const)
    it(`are not found by ${reader}`, async () => {
      const found = await read(pdf);
      expect(found.match(/type=signature/g)?.length).to.equal(8);
      expect(found.match(/\{\{[^{}]*\}\}|\{\{|\}\}/g)).to.eql(["{{mine}}"]);
    });
});

const marks = [{ link: "https://example.com/terms" }];

const components = [
  { type: "heading", text: "Contract" },
  { type: "text", text: ["Mind the ", { text: "terms", marks }, "."] },
  signField("Signature"),
  signField("Date", { field: "date" }),
];

/** What a structure refers to and what is not there. */
async function danglingIn(bytes: Uint8Array): Promise<string[]> {
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
  const kept = new Set(context.enumerateIndirectObjects().map(([ref]) => ref));
  const dangling: string[] = [];
  const look = (value: unknown): void => {
    if (value instanceof PDFRef && !kept.has(value))
      dangling.push(value.toString());
    if (value instanceof PDFDict)
      for (const [, one] of value.entries()) look(one);
  };
  for (const [, object] of context.enumerateIndirectObjects()) {
    look(object);
    if (!(object instanceof PDFDict)) continue;
    const kids = object.lookup(PDFName.of("K"));
    if (kids && "asArray" in kids && typeof kids.asArray === "function")
      for (const kid of kids.asArray()) look(kid);
  }
  return dangling;
}

describe("a PDF for signature", () => {
  const { sent, signing, request, caller } = useDocumentsToSign();

  for (const tagged of [false, true])
    it(`contains its own links and no others, ${tagged ? "tagged" : "untagged"}`, async () => {
      const renderOptions = { pdf: { tagged } };
      const { pdf, boxes } = await sent({ components }, { renderOptions });
      const { bytes } = pdf;
      expect(boxes).to.have.length(2);
      expect(await getLinks(bytes)).to.eql(["https://example.com/terms"]);
      const { isTagged, roles } = await pdfFacts(bytes);
      expect(isTagged).to.equal(tagged);
      expect(roles.filter((role) => role === "Link")).to.have.length(
        tagged ? 1 : 0,
      );
      expect(await danglingIn(bytes)).to.eql([]);
      expect((await readPdf(bytes))[0]?.text).to.include("Signature");
    });

  it("contains the joined pages, with its fields on the right pages", async () => {
    const other = await PDFDocument.create();
    other.addPage([300, 300]);
    other.addPage([400, 200]);
    const joined = [
      { base64: Buffer.from(await other.save()).toString("base64") },
    ];
    const attachments = [
      { name: "{{a}}.txt", base64: "eA==", mimeType: "text/plain" },
    ];
    const pdfOptions = { before: joined, after: joined, attachments };
    const { pdf, boxes, pages } = await sent(
      { components },
      { renderOptions: { pdf: pdfOptions } },
    );
    const { bytes } = pdf;
    expect(await readPdf(bytes)).to.have.length(5);
    expect(pages).to.equal(5);
    expect(boxes.map(({ page }) => page)).to.eql([3, 3]);
    const [file] = (await pdfFacts(bytes)).attachments;
    expect(file?.name).to.match(/^.?\{.\{a\}.\}\.txt$/);
  });

  it("is created and stored even when it was not requested, and the html contains no field markers", async () => {
    const body = await request({ components }, { formats: ["html"] });
    const response = await caller().post("/api/export", body);
    const { htmlDocument, ...answer } = await readAnswer(response);
    expect(Object.keys(answer)).to.eql(["signature"]);
    expect(htmlDocument)
      .to.include("sign-field")
      .and.not.include("esign.invalid");
    expect(signing.documents.at(-1)?.pdf.label).to.equal("pdf");
  });
});

async function readAnswer(response: Response) {
  const { html, ...rest } = await replies.exported(response);
  return { htmlDocument: html?.htmlDocument, ...rest };
}

const schema = [
  {
    id: "root",
    fields: [],
    connection: {
      esignConnection: "template's",
      submitters: [{ role: "Buyer", email: "{{ root.mail }}" }],
    },
  },
];

describe("a request to have a document signed", () => {
  const template = { schema, components: [signField("Signature")] };

  const data = { mail: "b@example.com" };

  const { signing, request, caller, service } = useDocumentsToSign();
  const documents = () => service.store.read.count(Document);
  const post = async (body: object, headers: Record<string, string> = {}) =>
    caller().post(
      "/api/export",
      await request(template, { data, ...body }),
      headers,
    );
  afterEach(() => {
    signing.onPrepare = signing.onComplete = signing.onStart = () => {};
  });

  it("passes on what the request, the template and the record define", async () => {
    const esignSettings = {
      submitters: [{ role: "Buyer", email: "c@example.com", order: 2 }],
      expiresAt: "2090-01-01",
      message: { subject: "Sign" },
    };
    const body = { esignConnection: "mine", esignSettings };
    const { signature } = await replies.exported(await post(body));
    expect(signature).to.include({ provider: "stand-in", status: "pending" });
    expect(signing.requests.at(-1)).to.deep.include({
      esignConnection: "mine",
      esignSettings,
      connection: schema[0]?.connection,
    });
    const [submitter] = signing.orders.at(-1)?.submitters ?? [];
    expect(submitter).to.include({ role: "Buyer", email: data.mail });
  });

  it("uses the PDF's title, or else the template's", async () => {
    await replies.exported(await post({}));
    expect(signing.documents.at(-1)).to.include({ title: "Letter" });
    const titled = { ...template, pdf: { title: "Contract {{ root.mail }}" } };
    const body = await request(titled, { data });
    await replies.exported(await caller().post("/api/export", body));
    expect(signing.documents.at(-1)).to.include({
      title: "Contract b@example.com",
    });
  });

  for (const step of ["onPrepare", "onComplete"] as const)
    it(`leaves nothing behind when it is rejected (${step})`, async () => {
      const before = await documents();
      signing[step] = () => {
        throw new PlatenError("invalid_request", "Nobody can sign this.");
      };
      const response = await post({});
      expect(response.status).to.equal(400);
      expect(response.headers.get("x-document-id")).to.equal(null);
      expect(await readError(response)).to.equal("Nobody can sign this.");
      expect(await documents()).to.equal(before);
    });

  it("succeeds even when the signing does not start at once", async () => {
    signing.onStart = () => {
      throw new Error("a fault");
    };
    const { pdf, signature } = await replies.exported(await post({}));
    expect(signature?.status).to.equal("starting");
    expect(pdf?.sizeBytes).to.be.greaterThan(0);
  });

  it("is sent once when the request is repeated", async () => {
    const body = await request(template, { data });
    const sent = signing.documents.length;
    const again = async () => {
      const headers = { "idempotency-key": "k1" };
      return replies.exported(await post(body, headers));
    };
    const { signature, ...first } = await again();
    const { signature: later, ...second } = await again();
    expect(second).to.eql(first);
    expect(later?.id).to.equal(signature?.id);
    expect(signing.documents.length - sent).to.equal(1);
  });
});
