import { renders, text } from "../support.js";

describe("blocks", () => {
  it("a heading has its level, the first when it names none", () => {
    renders([{ type: "heading", text: "A" }], {}, "<h1>A</h1>");
    renders([{ type: "heading", text: "A", level: 3 }], {}, "<h3>A</h3>");
  });

  it("a fragment draws nothing of its own", () => {
    renders(
      [{ type: "fragment", components: [text("a"), text("b")] }],
      {},
      "<p>a</p><p>b</p>",
    );
  });

  it("a container, a divider, a spacer and a page-break are one element", () => {
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

  it("a list holds items with text, components or both", () => {
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

  it("keepTogether keeps a component on one page", () => {
    renders([text("a", { keepTogether: true })], {}, '<p class="keep">a</p>');
  });

  it("markdown is read after the data is merged into it", () => {
    renders(
      [{ type: "markdown", value: "# {{ root.title }}\n\n{{ root.note }}" }],
      { title: "T", note: "**b**<script>x</script>" },
      '<div class="markdown"><h1>T</h1>\n<p><strong>b</strong></p>\n</div>',
    );
  });
});
