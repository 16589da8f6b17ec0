import { renders, text } from "../support.js";

describe("blocks", () => {
  it("give a heading its level, or the first when it defines none", () => {
    renders([{ type: "heading", text: "A" }], {}, "<h1>A</h1>");
    renders([{ type: "heading", text: "A", level: 3 }], {}, "<h3>A</h3>");
  });

  it("draw nothing for a fragment itself", () => {
    renders(
      [{ type: "fragment", components: [text("a"), text("b")] }],
      {},
      "<p>a</p><p>b</p>",
    );
  });

  it("draw one element for a container, a divider, a spacer and a page break", () => {
    renders(
      [{ type: "container", components: [{ type: "divider" }] }],
      {},
      "<div><hr/></div>",
    );
    renders(
      [{ type: "spacer", height: "8mm" }, { type: "page-break" }],
      {},
      '<div style="height:8mm"></div><div class="page-break"></div>',
    );
  });

  it("allow text, components or both in a list item", () => {
    const items = [
      { type: "list-item", text: "a" },
      { type: "list-item", text: "b", components: [text("c")] },
    ];
    renders(
      [{ type: "list", ordered: true, components: items }],
      {},
      "<ol><li>a</li><li>b<p>c</p></li></ol>",
    );
  });

  it("keep a component with keepTogether on one page", () => {
    renders([text("a", { keepTogether: true })], {}, '<p class="keep">a</p>');
  });

  it("parse Markdown after merging the data into it", () => {
    renders(
      [{ type: "markdown", value: "# {{ root.title }}\n\n{{ root.note }}" }],
      { title: "T", note: "**b**<script>x</script>" },
      '<div class="markdown"><h1>T</h1>\n<p><strong>b</strong></p>\n</div>',
    );
  });
});
