import { expect } from "chai";
import {
  drawnEdges,
  getEdges,
  signField,
  useDocumentsToSign,
} from "../../support/signing-documents.js";
import { readPdf } from "../../support/read-pdf.js";

/** Long enough to be printed in pieces: many characters, on many pages. */
const ROWS = 700;
const EVERY = 50;
const WORDS = "as it was agreed ".repeat(24);

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
    // In a block of its own: beside what stands in a line, nothing is cut.
    { type: "container", components: [signField("Signature")] },
  ],
};

const rows = Array.from({ length: ROWS }, (_none, at) => ({
  name: `Row ${at}.`,
  isSigned: at % EVERY === 0,
}));

describe("the fields of a document that is printed in pieces", () => {
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
