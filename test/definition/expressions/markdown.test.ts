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

  it("keeps styles that only change how a text looks", () => {
    const kept =
      "color:#f00;background-color:red;text-align:right;text-decoration:underline;font-weight:700;font-style:italic;font-size:9pt;" +
      "width:50%;height:1cm;margin:1px;padding:2px;margin-left:3mm;display:inline-block;line-height:12px;list-style-type:disc";
    expect(html(`<p style="${kept}">a</p>`)).to.equal(
      `<p style="${kept}">a</p>`,
    );
    for (const style of [
      "position:fixed",
      "display:none",
      "color:url(x)",
      "width:calc(1px)",
      "font-weight:9000",
    ])
      expect(html(`<p style="${style}">a</p>`)).not.to.include(style);
  });

  it("keeps images, unless their address is not allowed", () => {
    expect(html('<img src="https://a.example/b.png" />')).to.include("b.png");
    expect(html('a<img src="file:///b.png" />')).to.equal("a");
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

describe("Markdown as GitHub writes it", () => {
  it("links addresses, and not names of files", () => {
    expect(html("See https://a.example/x?y=1, please")).to.equal(
      'See <a href="https://a.example/x?y=1">https://a.example/x?y=1</a>, please',
    );
    expect(html("www.a.example/b.")).to.equal(
      '<a href="http://www.a.example/b">www.a.example/b</a>.',
    );
    expect(html("ada@shop.example")).to.equal(
      '<a href="mailto:ada@shop.example">ada@shop.example</a>',
    );
    expect(html("README.md, 1.5 and shop.example")).to.not.include("<a");
    expect(html("`https://a.example`")).to.not.include("<a");
    expect(html("[x](https://a.example)")).to.equal(
      '<a href="https://a.example">x</a>',
    );
    expect(html("javascript:alert(1) //x")).to.not.include("<a");
  });

  it("draws tasks with a box instead of a bullet", () => {
    const list = html("- [ ] pack\n- [x] **pay** now\n- plain [x]");
    expect(list).to.match(/☐ ?<\/span>pack/);
    expect(list).to.match(/☑ ?<\/span><strong>pay<\/strong> now/);
    expect(list).to.include("<li>plain [x]</li>");
    expect(list.match(/list-style-type:none/g)).to.have.length(2);
    expect(html("1. [X] signed")).to.include("☑");
    expect(html("- \\[ ] literal")).to.include("[ ] literal");
    expect(html("[ ] no list")).to.equal("[ ] no list");
  });

  it("numbers footnotes and lists them at its end", () => {
    const text = html(
      "Net[^n] and gross[^g], again[^n].\n\n[^g]: With **tax**.\n[^n]: Without tax.",
    );
    expect(text).to.match(
      /Net<sup[^>]*>1<\/sup> and gross<sup[^>]*>2<\/sup>, again<sup[^>]*>1<\/sup>\./,
    );
    expect(text).to.match(
      /<hr[^>]*>\s*<ol[^>]*>\s*<li>\s*<p>Without tax.<\/p>\s*<\/li>\s*<li>\s*<p>With <strong>tax<\/strong>.<\/p>\s*<\/li>\s*<\/ol>/,
    );
    expect(text).to.not.include("id=");
    expect(html("a[^missing]")).to.equal("a[^missing]");
  });

  it("removes scripts from tasks, notes and addresses", () => {
    const text = html(
      '- [x] <script>alert(1)</script>a\n\nb[^1] https://a.example/"onclick=x\n\n[^1]: <img src=x onerror=alert(1)>',
    );
    expect(text).to.not.match(/script|onerror|<a[^>]*onclick/);
  });

  it("aligns the cells of tables", () => {
    const table = html("| a | b |\n|:--|--:|\n| x | 1 |");
    expect(table).to.include('<td style="text-align:right">1</td>');
  });
});
