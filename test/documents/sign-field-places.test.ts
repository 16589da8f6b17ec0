import { expect } from "chai";
import { readPdf } from "../support/read-pdf.js";
import {
  drawnEdges,
  getEdges,
  signField,
  useDocumentsToSign,
} from "../support/signing-documents.js";

const words = { type: "text", text: "All that was agreed. ".repeat(40) };

const number = { type: "page-number", format: "Page {page} of {pages}" };

/** Each has one field, somewhere else. */
const templates = {
  letter: { components: [words, signField("Signature"), words] },
  contract: {
    page: {
      size: "Letter",
      margin: { top: "31mm", right: "13mm", bottom: "22mm", left: "47mm" },
      header: [{ type: "text", text: "Contract" }],
      footer: [number],
    },
    components: [
      ...Array.from({ length: 9 }, () => words),
      {
        type: "columns",
        components: [
          { type: "column", components: [words] },
          {
            type: "column",
            components: [
              words,
              signField("Initials", { field: "initials", width: "33%" }),
            ],
          },
        ],
      },
    ],
  },
  protocol: {
    page: {
      // A number so deep in its layout that the header is printed apart and laid over.
      header: [
        {
          type: "columns",
          components: [
            {
              type: "column",
              components: [{ type: "container", components: [number] }],
            },
          ],
        },
      ],
    },
    components: [
      {
        type: "table",
        components: Array.from({ length: 40 }, (_none, row) => ({
          type: "table-row",
          components: [
            { type: "table-cell", text: `Row ${row}` },
            row === 37
              ? {
                  type: "table-cell",
                  align: "right",
                  components: [
                    signField("Seen", { field: "checkbox", width: "6mm" }),
                  ],
                }
              : { type: "table-cell", text: "of the protocol" },
          ],
        })),
      },
    ],
  },
};

const layouts = {
  portrait: {},
  landscape: { landscape: true },
  scaled: { scale: 0.63 },
  "scaled up": { scale: 1.7, margin: "9mm" },
};

/** What Chromium lays out in other ways. */
const odd = {
  "from right to left": {
    locale: "ar-EG",
    components: [words, signField("Signature"), words],
  },
  "smaller, since something is too wide": {
    components: [
      { type: "container", style: { width: "260mm" }, components: [words] },
      signField("Signature", { width: "120mm" }),
    ],
  },
  "tagged, in two columns of a list": {
    pdf: { tagged: true },
    components: [
      {
        type: "list",
        style: { "column-count": "2" },
        components: Array.from({ length: 30 }, (_none, at) => ({
          type: "list-item",
          components: at === 20 ? [signField("Signature")] : [words],
        })),
      },
    ],
  },
};

describe("the box of a field", () => {
  const { sent } = useDocumentsToSign();
  const comparesWithPrint = async (template: object, body: object = {}) => {
    const { boxes, pdf, pages } = await sent(template, body);
    const { bytes } = pdf;
    const printed = await readPdf(bytes);
    expect(boxes).to.have.length(1);
    expect(pages).to.equal(printed.length);
    const [box] = boxes;
    const page = box && printed[box.page - 1];
    if (!box || !page) throw new Error("no such page");
    const reported = getEdges(box, page);
    const drawn = await drawnEdges(bytes, box.page);
    for (const edge of ["left", "top", "right", "bottom"] as const)
      expect(reported[edge], edge).to.be.closeTo(drawn[edge], 1);
  };

  for (const [name, template] of Object.entries(templates))
    for (const [layout, renderOptions] of Object.entries(layouts))
      it(`is where a ${name} shows it, ${layout}`, () =>
        comparesWithPrint(template, { renderOptions }));

  for (const [how, template] of Object.entries(odd))
    it(`is right for a document that is printed ${how}`, () =>
      comparesWithPrint(template));
});

/** Long enough to be printed in pieces: many characters, on many pages. */
const ROWS = 700;

const EVERY = 50;

const WORDS = "as it was agreed ".repeat(24);

const rows = Array.from({ length: ROWS }, (_none, at) => ({
  name: `Row ${at}.`,
  isSigned: at % EVERY === 0,
}));

describe("the fields of a document that is printed in pieces", () => {
  const template = {
    page: { header: [{ type: "text", text: "Protocol" }] },
    components: [
      {
        type: "table",
        components: [
          {
            type: "table-row",
            header: true,
            components: [
              { type: "table-cell", text: "Row" },
              { type: "table-cell", text: "Words" },
              { type: "table-cell", text: "Seen" },
            ],
          },
          {
            type: "table-row",
            collection: { collectionId: "row", path: "root.rows" },
            components: [
              {
                type: "table-cell",
                text: "{{ row.name }}",
                style: { padding: "60px 4px", "white-space": "nowrap" },
              },
              { type: "table-cell", text: WORDS },
              {
                type: "table-cell",
                components: [
                  {
                    ...signField("Seen", { field: "initials" }),
                    submitter: "{{ row.name }}",
                    condition: {
                      combinator: "and",
                      rules: [
                        { field: "row.isSigned", operator: "=", value: true },
                      ],
                    },
                  },
                ],
              },
            ],
          },
        ],
      },
      // In a block of its own, since a line with other parts is never cut at the end of a page.
      { type: "container", components: [signField("Signature")] },
    ],
  };

  const { sent } = useDocumentsToSign();

  it("are beside their texts, each exactly once", async () => {
    const { boxes, pdf, pages } = await sent(template, { data: { rows } });
    const { bytes } = pdf;
    const printed = await readPdf(bytes);
    expect(pages).to.equal(printed.length);
    expect(pages).to.be.greaterThan(96);
    expect(boxes.map(({ role }) => role)).to.eql([
      ...rows.filter(({ isSigned }) => isSigned).map(({ name }) => name),
      "Buyer",
    ]);
    for (const { page, role } of boxes.slice(0, -1))
      expect(printed[page - 1]?.text).to.include(role);
    const last = boxes.at(-1);
    const paper = printed.at(-1);
    if (!last || !paper) throw new Error("nothing was printed");
    expect(last.page).to.equal(pages);
    const drawn = await drawnEdges(bytes, last.page);
    expect(getEdges(last, paper).bottom).to.be.closeTo(drawn.bottom, 1);
  });
});
