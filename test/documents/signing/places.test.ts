import { expect } from "chai";
import { readPdf } from "../../support/read-pdf.js";
import {
  drawnEdges,
  getEdges,
  signField,
  useDocumentsToSign,
} from "../../support/signing-documents.js";

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
    ["hidden", { style: { visibility: "hidden" } }, "is on no page"],
    ["without a height", { height: "0mm", style: {} }, "is on no page"],
    ["higher than a page", { height: "700mm" }, "is taller than a page"],
  ] as const)
    it(`cannot be signed when one is ${description}`, async () => {
      const error = await rejection({ components: [signField("Here", more)] });
      expect(error).to.include(`The sign-field "Here" of "Buyer" ${message}`);
    });
});
