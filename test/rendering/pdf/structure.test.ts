import { expect } from "chai";
import { describe, it } from "mocha";
import { pdfFacts, ofPdf, usePdfs } from "../../support/read-pdf.js";

const chapters = {
  locale: "de-DE",
  components: [
    { type: "heading", level: 1, text: "Angebot für {{ root.name }}" },
    { type: "text", text: "Einleitung" },
    { type: "page-break" },
    { type: "heading", level: 2, text: "Preise" },
  ],
};

describe("the structure of a PDF", () => {
  const { pdf } = usePdfs();

  it("is missing unless it is requested", async () => {
    const { isTagged, bookmarks } = await pdfFacts(await pdf(chapters));
    expect({ isTagged, bookmarks }).to.eql({ isTagged: false, bookmarks: [] });
  });

  it("has tags, title and language when the template asks for tags", async () => {
    const bytes = await pdf({ ...chapters, pdf: { tagged: true } });
    const { isTagged, roles, info } = await pdfFacts(bytes);
    expect(isTagged).to.equal(true);
    expect(roles).to.include.members(["H1", "P"]);
    expect(info).to.include({ Language: "de-DE" });
    expect(info["Title"]).to.match(/\w/);
    expect(bytes.includes("/DisplayDocTitle true")).to.equal(true);
  });

  it("has a bookmark for each heading, in order, by the request", async () => {
    const bytes = await pdf(chapters, ofPdf({ outline: true }));
    const { bookmarks } = await pdfFacts(bytes);
    expect(bookmarks).to.eql(["Angebot für Ada", "Preise"]);
  });

  it("can be turned off by the request", async () => {
    const bytes = await pdf(
      { ...chapters, pdf: { tagged: true, outline: true } },
      ofPdf({ tagged: false, outline: false }),
    );
    expect((await pdfFacts(bytes)).isTagged).to.equal(false);
  });

  it("is kept when the PDF is edited afterwards", async () => {
    const options = { tagged: true, outline: true, author: "Ada" };
    const bytes = await pdf(chapters, ofPdf(options));
    const { roles, bookmarks, info } = await pdfFacts(bytes);
    expect(roles).to.include.members(["H1", "P"]);
    expect(bookmarks).to.have.length(2);
    expect(info).to.include({ Author: "Ada", Language: "de-DE" });
  });
});
