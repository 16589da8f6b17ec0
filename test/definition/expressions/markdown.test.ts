import { expect } from "chai";
import { prints } from "./vocabulary.js";

const html = (text: string, source = "{{ text | markdown }}") =>
  prints(source, { text }, { output: "html" }).trim();

describe("markdown", () => {
  it("becomes HTML, without the p of a single paragraph", () => {
    expect(html("**bold** _it_")).to.equal("<strong>bold</strong> <em>it</em>");
    expect(html("a\n\nb")).to.equal("<p>a</p>\n<p>b</p>");
    expect(html("- a\n- b")).to.equal("<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
    expect(html("| a |\n|---|\n| 1 |")).to.include("<td>1</td>");
  });

  it("keeps line breaks", () => {
    expect(html("a\nb")).to.equal("a<br />\nb");
  });

  it("keeps safe HTML and links", () => {
    expect(html('a<sup>2</sup> <a href="https://x.org">x</a>')).to.equal(
      'a<sup>2</sup> <a href="https://x.org">x</a>',
    );
    expect(html("[m](mailto:a@b.org)")).to.include('href="mailto:a@b.org"');
  });

  it("removes scripts and styles with their content", () => {
    expect(html("a<script>alert(1)</script>b")).to.equal("ab");
    expect(html("a<style>p{}</style>b")).to.equal("ab");
    expect(html('<img src="x" onerror="alert(1)">')).to.not.include("onerror");
    expect(html("[x](javascript:alert(1))")).to.not.include("href");
    expect(html("<iframe src=x>y</iframe>")).to.equal("");
    expect(html("<svg><script>1</script></svg>")).to.equal("");
  });

  it("is plain text outside of HTML", () => {
    const text = "**a** & b";
    const source = "{{ text | markdown }}";
    const setting = { output: "attribute" } as const;
    expect(prints(source, { text }, setting)).to.equal("**a** &amp; b");
    expect(html(text, "{{ (text | markdown) ~ '<' }}")).to.equal(
      "**a** &amp; b&lt;",
    );
  });
});

describe("nl2br", () => {
  it("inserts line breaks and escapes the rest", () => {
    expect(html("a\r\n<b>\nc", "{{ text | nl2br }}")).to.equal(
      "a<br/>&lt;b&gt;<br/>c",
    );
  });
});
