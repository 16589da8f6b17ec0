import { expect } from "chai";
import { readPdf } from "../../support/read-pdf.js";
import {
  drawnEdges,
  getEdges,
  signField,
  useDocumentsToSign,
} from "../../support/signing-documents.js";

const words = { type: "text", text: "All that was agreed. ".repeat(40) };
const number = { type: "page-number", format: "Page {page} of {pages}" };

/** Each has one field, somewhere else. */
const templates = {
  letter: {
    components: [words, signField("Signature"), words],
  },
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
