import { expect } from "chai";
import { describe, it } from "mocha";
import { createFormulas } from "../../../core/integrations/platforms/index.js";

const url = "https://documents.example.com/run/TOKEN";

const formulas = (platform: string, name = "Invoice") =>
  createFormulas(platform, url, name).map(({ formula }) => formula);

describe("formulas of a link", () => {
  it("use the functions of the platform", () => {
    expect(formulas("airtable")).to.deep.equal([
      `"${url}?recordId=" & RECORD_ID()`,
    ]);
    expect(formulas("nocodb")).to.deep.equal([
      `CONCAT("${url}?recordId=", RECORD_ID())`,
      `URL(CONCAT("${url}?recordId=", RECORD_ID()), "Invoice")`,
    ]);
    expect(formulas("google-sheets")).to.deep.equal([
      `=HYPERLINK("${url}?recordId=" & ENCODEURL(A2), "Invoice")`,
    ]);
    expect(formulas("directus")).to.deep.equal([`${url}?recordId={{id}}`]);
    expect(formulas("sql")).to.deep.equal([]);
  });

  it("escape quotes in the link's name", () => {
    expect(formulas("google-sheets", 'A "B"')[0]).to.contain(', "A ""B""")');
    expect(formulas("nocodb", 'A "B"')[1]).to.contain(', "A B")');
  });
});
