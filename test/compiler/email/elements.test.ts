import { expect } from "chai";
import { mjmlBody, text } from "../support.js";

function element(component: object, data: object = {}): string {
  const body = mjmlBody([component], data);
  return /<mj-column>([^]*)<\/mj-column>/.exec(body)?.[1] ?? "";
}

describe("an element of an email", () => {
  it("gives an image its size in px", () => {
    expect(
      element({
        type: "image",
        src: "data:image/png;base64,AA==",
        width: "50%",
        href: "https://x.example",
      }),
    ).to.equal(
      '<mj-image src="data:image/png;base64,AA==" alt="" href="https://x.example" width="300px" align="left" padding="0"/>',
    );
  });

  it("gives a button its style as MJML attributes and merges data into its link", () => {
    const button = {
      type: "button",
      text: "Go {{ root.name }}",
      href: "https://x.example/{{ root.id }}",
      style: { "background-color": "#123", padding: "4mm 8mm" },
    };
    expect(element(button, { name: "<A>", id: "a b" })).to.equal(
      '<mj-button href="https://x.example/a%20b" padding="0 24px 12px" inner-padding="15px 30px" background-color="#123">Go &lt;A&gt;</mj-button>',
    );
  });

  it("can be a spacer or a divider", () => {
    expect(element({ type: "spacer", height: "10mm" })).to.equal(
      '<mj-spacer height="38px"/>',
    );
    expect(
      element({ type: "divider", style: { "border-top": "2px dashed #ccc" } }),
    ).to.equal(
      '<mj-divider padding="0 24px 12px" border-width="2px" border-style="dashed" border-color="#ccc"/>',
    );
  });

  it("gives a table its complete style as HTML, with conditions on rows inside", () => {
    const row = {
      type: "table-row",
      collection: { collectionId: "line", path: "root.lines" },
      components: [
        { type: "table-cell", text: "{{ line.n }}", align: "right" },
      ],
    };
    const html = element(
      { type: "table", components: [row] },
      { lines: [{ n: 1 }, { n: 2 }] },
    );
    expect(html.match(/<tr>/g)).to.have.length(2);
    expect(html).to.include("text-align:right").and.not.to.include("class=");
  });

  it("keeps line breaks of texts and of data", () => {
    const written = text("a\n{{ root.x }} \r\n b <", { id: "a" });
    const html = element(written, { x: "1 \n 2\n\n3" });
    expect(html).to.include(">a<br/>1 <br/> 2<br/><br/>3 <br/> b &lt;</p>");
    const cell = { type: "table-cell", text: ["{{ root.x }}", { br: true }] };
    const row = { type: "table-row", components: [cell] };
    expect(
      element({ type: "table", components: [row] }, { x: "1\n2" }),
    ).to.include("1<br/>2<br/></td>");
  });

  it("has one line break for nl2br and none for Markdown", () => {
    const html = element(text("{{ root.x | nl2br }}"), { x: "1\n2" });
    expect(html).to.include(">1<br/>2</p>");
    expect(element(text("{{ root.x | markdown }}"), { x: "1\n\n2" })).to.match(
      /<p>1<\/p>\s*<p>2<\/p>/,
    );
  });

  it("places a hero's picture behind its content", () => {
    const hero = {
      type: "hero",
      background: "https://x.example/{{ root.id }}.png",
      components: [{ type: "heading", text: "H" }],
    };
    const body = mjmlBody([hero], { id: 7 });
    expect(body).to.match(
      /<mj-hero mode="fluid-height" background-url="platen-asset-[0-9a-f]+"/,
    );
  });
});
