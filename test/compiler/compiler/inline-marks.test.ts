import { renders } from "../support.js";

const marked = (...text: unknown[]) => [{ type: "text", text }];

describe("inline marks", () => {
  it("stand inside each other in the order in which they are listed", () => {
    renders(
      marked("a ", { text: "{{ root.b }}", marks: ["bold", "italic"] }),
      { b: "<b>" },
      "<p>a <strong><em>&lt;b&gt;</em></strong></p>",
    );
  });

  it("break lines, underline and strike", () => {
    renders(
      marked(
        { text: "a", marks: ["underline"] },
        { br: true },
        { text: "b", marks: ["strike"] },
      ),
      {},
      "<p><u>a</u><br/><s>b</s></p>",
    );
  });

  it("link and style by data, each escaped for its place", () => {
    renders(
      marked({
        text: "site",
        marks: [
          { link: "https://x.example/?q={{ root.q }}" },
          { style: { color: "{{ root.color }}" } },
        ],
      }),
      { q: 'a"b&c', color: 'red;background:url("x")' },
      '<p><a href="https://x.example/?q=a&quot;b&amp;c"><span style="color:">site</span></a></p>',
    );
  });

  it("a link that would run script leads nowhere", () => {
    renders(
      marked({ text: "x", marks: [{ link: "{{ root.u }}" }] }),
      { u: "java\tscript:alert(1)" },
      '<p><a href="">x</a></p>',
    );
  });
});
