import { expect } from "chai";
import { mjmlBody, text } from "../support.js";

function cell(more: object): object {
  return { type: "column", components: [text("x")], ...more };
}

describe("the MJML of a document template", () => {
  it("has what emails share and omits what only paper has", () => {
    const written = {
      components: [
        { type: "heading", text: "H {{ root.n }}" },
        { type: "page-break" },
        { type: "columns", components: [cell({ width: "25%" }), cell({})] },
        {
          type: "sign-field",
          field: "signature",
          name: "s",
          submitter: "Client",
        },
      ],
      page: { header: [text("header")], watermark: "Draft" },
    };
    const body = mjmlBody(written, { n: 1 }, "document");
    expect(body).to.include(">H 1</h1>");
    expect(body)
      .to.include('<mj-column width="25%">')
      .and.to.include('<mj-column width="75%">');
    expect(body).not.to.match(/page-break|sign-field|header|Draft/);
  });
});
