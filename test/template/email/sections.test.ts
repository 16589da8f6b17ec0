import { expect } from "chai";
import { accepted, mjmlBody, rejects, rule, text } from "../support.js";

const column = (components: object[], more: object = {}) => ({
  type: "column",
  components,
  ...more,
});
const section = (components: object[], more: object = {}) => ({
  type: "section",
  components,
  ...more,
});

describe("the body of an email", () => {
  it("is a pile of sections with columns", () => {
    const written = [
      section([column([text("a")], { width: "30%" }), column([text("b")])], {
        background: "#fff",
      }),
    ];
    expect(mjmlBody(written)).to.equal(
      '<mj-section padding="0" background-color="#fff">' +
        '<mj-column width="30%"><mj-text padding="0 24px 12px"><p style="margin:0">a</p></mj-text></mj-column>' +
        '<mj-column width="70%"><mj-text padding="0 24px 12px"><p style="margin:0">b</p></mj-text></mj-column></mj-section>',
    );
  });

  it("gathers what stands beside sections into one", () => {
    const body = mjmlBody([
      text("a"),
      { type: "divider" },
      section([]),
      text("b"),
    ]);
    expect(body.match(/<mj-section/g)).to.have.length(3);
    expect(body).to.match(
      /<p[^>]*>a<\/p><\/mj-text><mj-divider[^>]*\/><\/mj-column>/,
    );
  });

  it("guards sections and content by the record", () => {
    const lines = { collectionId: "line", path: "root.lines" };
    const written = [
      section(
        [column([text("{{ line.n }}", { condition: rule("line.n", ">", 1) })])],
        {
          collection: lines,
        },
      ),
    ];
    const body = mjmlBody(written, { lines: [{ n: 1 }, { n: 2 }] });
    expect(body.match(/<mj-section/g)).to.have.length(2);
    expect(body.match(/<mj-text/g)).to.have.length(1);
    expect(body).not.to.include("mj-raw");
  });

  it("takes sections at its top and in containers only", () => {
    accepted([{ type: "container", components: [section([])] }], "email");
    rejects(
      [section([column([section([])])])],
      "$.components[0].components[0].components[0]",
      "A section cannot stand in a column.",
      "email",
    );
  });
});
