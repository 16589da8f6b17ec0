import { expect } from "chai";
import { merged, renders, text } from "../support.js";

describe("markup from text and data", () => {
  it("is sanitized after the data is merged into html", () => {
    renders(
      [{ type: "html", value: '<p onclick="x()">{{ root.a }}</p>' }],
      { a: "<b>b</b><script>alert(1)</script>" },
      '<div class="markdown"><p><b>b</b></p></div>',
    );
  });

  it("is placed in a block that can contain it for Markdown", () => {
    renders(
      [text("{{ root.a | markdown }}")],
      { a: "* one" },
      '<div class="markdown"><ul>\n<li>one</li>\n</ul>\n</div>',
    );
  });

  it("has its images fetched like those of image components", () => {
    const data = { a: "![Logo](https://x.example/a.png?b=1&c=2)" };
    for (const component of [
      { type: "markdown", value: "{{ root.a }}" },
      text("{{ root.a | markdown }}"),
    ]) {
      const { html, assets } = merged([component], data);
      expect(assets[0]).to.include({
        source: "https://x.example/a.png?b=1&c=2",
        alt: "Logo",
      });
      expect(html).not.to.include("x.example");
    }
  });

  it("is a link for a button", () => {
    renders(
      [
        {
          type: "button",
          text: "Pay {{ root.n }}",
          href: "https://x.example/{{ root.n }}",
        },
      ],
      { n: "<1>" },
      '<a href="https://x.example/&lt;1&gt;" class="button">Pay &lt;1&gt;</a>',
    );
  });
});
