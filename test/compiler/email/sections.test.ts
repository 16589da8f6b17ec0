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

/** Of the texts, in their order. */
function paddings(body: string): string[] {
  const texts = body.matchAll(/<mj-text padding="([^"]*)"/g);
  return Array.from(texts, ([, padding = ""]) => padding);
}

/** Of texts in three columns, each as far from the middle of the gap as `half`. */
function sides(half: number): string[] {
  return [`0 ${half}px 12px 24px`, `0 ${half}px 12px`, `0 24px 12px ${half}px`];
}

describe("the body of an email", () => {
  it("is a list of sections with columns", () => {
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

  it("has the specified gap between columns, or 24px", () => {
    const columns = (more: object) => ({
      type: "columns",
      components: ["a", "b", "c"].map((one) => column([text(one)])),
      ...more,
    });
    expect(paddings(mjmlBody([columns({})]))).to.eql(sides(12));
    expect(paddings(mjmlBody([columns({ gap: "8px" })]))).to.eql(sides(4));
    const inside = mjmlBody([section([column([columns({ gap: "5%" })])])]);
    expect(inside.match(/padding-left:28px/g)).to.have.length(2);
  });

  it("wraps components outside of sections into one section", () => {
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

  it("evaluates conditions on sections and content for the record", () => {
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

  it("allows sections only at its top level and in containers", () => {
    accepted([{ type: "container", components: [section([])] }], "email");
    rejects(
      [section([column([section([])])])],
      "$.components[0].components[0].components[0]",
      "A section is not allowed inside a column.",
      "email",
    );
  });
});
