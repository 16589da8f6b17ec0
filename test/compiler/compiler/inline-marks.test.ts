import { renders } from "../support.js";

const marked = (...text: unknown[]) => [{ type: "text", text }];

describe("inline marks", () => {
  it("link and style by data, escaped for each context", () => {
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

  it("remove a link that would run a script", () => {
    renders(
      marked({ text: "x", marks: [{ link: "{{ root.u }}" }] }),
      { u: "java\tscript:alert(1)" },
      '<p><a href="">x</a></p>',
    );
  });
});
