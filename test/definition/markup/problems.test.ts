import { expect } from "chai";
import { describe, it } from "mocha";
import {
  checkDefinition,
  renameField,
  type TemplateType,
} from "../../../core/definition/index.js";
import type { Problem } from "../../../core/plugin-api/index.js";

function check(markup: object, type: TemplateType = "document"): Problem[] {
  const definition = {
    schema: [],
    components: [{ type: "markup", ...markup }],
  };
  return checkDefinition(definition, type).problems;
}

/** The HTML has one problem: at this line and column, with these words. */
function refuses(html: string, place: string, words: string): void {
  const problems = check({ html });
  const found = problems.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message} ${hint}`,
  );
  expect(found, html).to.have.length(1);
  expect(problems[0]?.path).to.equal("$.components[0].html");
  expect(found[0])
    .to.match(new RegExp(`^${place} `))
    .and.to.include(words);
}

function refusesCss(css: string, place: string, words: string): void {
  const problems = check({ html: "<p>a</p>", css });
  const found = problems.map(
    ({ path, line, column, message, hint }) =>
      `${path} ${line}:${column} ${message} ${hint}`,
  );
  expect(found[0])
    .to.match(new RegExp(`css ${place} `))
    .and.to.include(words);
}

describe("the HTML of a template", () => {
  it("is refused with the line and column of an element that is not closed", () => {
    refuses(
      "<div>\n  <span>a\n</div>",
      "2:3",
      "<span> is not closed before </div>",
    );
    refuses("<p>a", "1:1", "<p> is not closed at the end");
    refuses("<p>a</p></b>", "1:9", "</b> closes nothing");
    refuses("<div/>", "1:1", "Write <div></div>");
    refuses("<p title='a>b</p>", "1:18", "The tag does not end");
    refuses("<!-- a", "1:7", "Write --> where it ends");
  });

  it("is refused where a browser would move its elements", () => {
    refuses("<p><ul></ul></p>", "1:4", "write a <div> instead of the <p>");
    refuses("<table><p>a</p></table>", "1:8", "Put it into a <td>");
    refuses("<div><td>a</td></div>", "1:6", "Put it into a <tr>");
    refuses("<a><a>b</a></a>", "1:4", "<a> is not allowed directly in <a>");
    refuses(
      "<table>a<tr></tr></table>",
      "1:8",
      "Text is not allowed directly in <table>",
    );
    refuses(
      '<table><template data-if="a"><div>b</div></template></table>',
      "1:30",
      "Put it into a <td>",
    );
  });

  it("is refused by the name of what may start or load something", () => {
    for (const [html, name] of [
      ["<script>a</script>", "<script>"],
      ["<iframe src=a></iframe>", "<iframe>"],
      ["<object></object>", "<object>"],
      ["<embed>", "<embed>"],
      ["<link rel=stylesheet>", "<link>"],
      ["<form></form>", "<form>"],
      ["<base href=a>", "<base>"],
      ["<meta http-equiv=refresh>", "<meta>"],
      ["<p onclick=a>b</p>", "onclick"],
      ['<a href="javascript:a">b</a>', "javascript:a"],
      ['<a href=" java&#10;script:a">b</a>', "java"],
      ["<img srcset=a src=asset:a>", "srcset"],
      ['<img src="ftp://a">', "ftp://a"],
      ["<svg><foreignObject>a</foreignObject></svg>", "<foreignobject>"],
      ["<svg><script>a</script></svg>", "<script>"],
      ["<svg><style>a</style></svg>", "<style>"],
      ['<svg><use href="https://a.example/b#c"></use></svg>', "https://a"],
      ["<svg><animate></animate></svg>", "<animate>"],
      ['<svg><rect fill="url(https://a)"/></svg>', "https://a"],
      ['<p style="background: url(http://127.0.0.1/a)">b</p>', "127.0.0.1"],
      ["<!doctype html>", "doctype"],
      ["<body></body>", "<body>"],
      ["<dvi></dvi>", "Did you mean <div>?"],
      ["<p clas=a>b</p>", "Did you mean class?"],
      ["<p data-fi=a>b</p>", "Did you mean data-if?"],
      ["<p>&nbps;</p>", "Write &amp;"],
    ] as const)
      refuses(html, "1:\\d+", name);
  });

  it("is refused with the place of an error in an expression", () => {
    refuses("<p>\n  {{ root.a | uper }}</p>", "2:15", 'Unknown filter "uper"');
    refuses('<p\n title="{{ 1 + }}">a</p>', "2:15", "A value is missing");
    refuses('<p data-if="a >">b</p>', "1:16", "A value is missing");
    refuses(
      '<p data-each="a in b" data-filter="c =">b</p>',
      "1:39",
      "A value is missing",
    );
    refuses(
      '<p data-each="root.lines">a</p>',
      "1:4",
      'data-each="line in root.lines"',
    );
    refuses('<p data-sort="a">b</p>', "1:4", "data-sort needs data-each");
    refuses(
      '<p data-each="a in b" data-limit="x">c</p>',
      "1:23",
      "not a whole number",
    );
    refuses(
      "<p>a</p> b <p data-else>c</p>",
      "1:15",
      "directly after the one with data-if",
    );
    refuses(
      "<p data-if='a'>a</p><p data-if='b' data-else>b</p>",
      "1:24",
      "can only have one of",
    );
    refuses(
      "<template><p>a</p></template>",
      "1:1",
      "has no data-each, data-if or data-partial",
    );
    refuses("<p {{ a }}>b</p>", "1:4", "in the values of attributes");
    refuses("<p>{{ a</p>", "1:4", 'The closing "}}"');
    refuses(
      "<p>{{ line.a }}</p><p data-each='line in b'>c</p>",
      "1:7",
      '"line" is not an enclosing collection',
    );
  });

  it("accepts angle brackets and quotes in expressions, and references in text", () => {
    expect(
      check({
        html: '<p title="{{ root.a | default("<b>") }}">&nbsp;{{ 1 <2 }} &lt; 3 \\{{ a }}</p>',
      }),
    ).to.eql([]);
  });

  it("is refused when its headers or page numbers are in the wrong place", () => {
    refuses(
      "<p data-page-number></p>",
      "1:1",
      "Move it into a <header data-page>",
    );
    refuses(
      "<div><header data-page></header></div>",
      "1:14",
      "at the top level",
    );
    refuses(
      "<header data-page></header><header data-page></header>",
      "1:28",
      "Remove one",
    );
    refuses('<header data-page="odd"></header>', "1:9", "is not known");
    const twice = checkDefinition(
      {
        schema: [],
        page: { header: [{ type: "text", text: "a" }] },
        components: [{ type: "markup", html: "<header data-page>b</header>" }],
      },
      "document",
    );
    expect(twice.problems[0]?.message).to.include("$.page.header");
  });

  it("is bounded in its depth and in its number of elements", () => {
    const deep = "<div>".repeat(300) + "</div>".repeat(300);
    expect(check({ html: deep })[0]?.code).to.equal("too_deep");
    const many = "<br>".repeat(20_001);
    expect(check({ html: many })[0]?.code).to.equal("too_many_components");
    const large = "a".repeat(10 * 1024 * 1024);
    expect(check({ html: large })[0]?.message).to.include(
      "The limit is 2097152 bytes",
    );
  });

  it("is required in documents, as MJML is in emails", () => {
    expect(check({})[0]?.message).to.include('"html" is missing');
    expect(check({ mjml: "" })[0]?.message).to.include("written in html");
    expect(check({}, "email")[0]?.message).to.include('"mjml" is missing');
    expect(check({ html: "" }, "email")[0]?.message).to.include(
      "written in mjml",
    );
  });

  it("keeps its other text when a field is renamed", () => {
    const html =
      '<p title="{{ root.name }}">name {{ root.name | upper }}</p><p data-if="root.name = \'name\'">a</p>';
    const written = {
      schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
      components: [{ type: "markup", html }],
    };
    const changes = renameField(
      written,
      { collectionId: "root", name: "name" },
      "title",
    );
    expect(changes.find(({ path }) => path.includes("html"))?.value).to.equal(
      '<p title="{{ root.title }}">name {{ root.title | upper }}</p><p data-if="root.title = \'name\'">a</p>',
    );
  });
});

describe("the style sheet of a template", () => {
  it("is refused with the place of what is not closed", () => {
    refusesCss("a {\n  color: red", "1:3", '"{" is not closed');
    refusesCss("a { color: red }\n}", "2:1", '"}" closes nothing');
    refusesCss('a { content: "b }', "1:\\d+", "does not end");
    refusesCss("a { color: red }\n/* b", "2:1", "The comment does not end");
    refusesCss("a { width: calc(1px }", "1:\\d+", "closes nothing");
    refusesCss("a { color red; }", "1:5", 'There is no colon after "color"');
    refusesCss("a { background: url(b c) }", "1:17", "url() is not valid");
  });

  it("is refused by the name of what loads something else than images", () => {
    refusesCss(
      "@import url(https://a.example/b.css);",
      "1:1",
      "@import is not allowed",
    );
    refusesCss('@\\69mport "a";', "1:1", "backslash");
    refusesCss(
      "a { background: url(http://10.0.0.1/b) }",
      "1:17",
      "http://10.0.0.1/b",
    );
    refusesCss('a { background: \\75rl("http://b") }', "1:17", "backslash");
    refusesCss(
      'a { background: image-set("b" 1x) }',
      "1:17",
      "image-set() is not allowed",
    );
    refusesCss("a { --b: url(//c.example/d) }", "1:10", "//c.example/d");
    refusesCss(
      "@font-face { font-family: A; src: url(https://b/c.woff2) }",
      "1:35",
      "asset:<id>",
    );
    refusesCss("a { color: {{ root.b }} }", "1:12", "var(--color)");
    refusesCss("</style><script>", "1:1", "</style> is not allowed");
    refusesCss("@page { size: 50em }", "1:9", "not a size of a page");
  });

  it("accepts what the shipped browser understands", () => {
    expect(
      check({
        html: "<p>a</p>",
        css: `@page { size: A5 landscape; margin: 10mm; @bottom-right { content: counter(page) } }
          @page :first { margin: 0 } @layer a, b; @property --c { syntax: "<length>"; inherits: false; initial-value: 0px }
          @media print and (width >= 10mm) { .d { &:hover > p { color: color-mix(in oklch, red, blue) } .e { inset: 0 } } }
          @supports (display: grid) and (not (display: inline-grid)) { p { grid-template: "a b" 1fr / auto } }
          @container (min-width: 10mm) { p { width: calc(1px + (2px * 3)) } } @keyframes f { from { opacity: 0 } to { opacity: 1 } }
          .w-1\\/2 { --g: { a: b }; background: url("asset:h") no-repeat, url(data:image/png;base64,AA==) }
          .i { clip-path: url(#j); width: if(style(--k: 1): 1px; else: 2px) }`,
      }),
    ).to.eql([]);
  });
});

function refusesMjml(mjml: string, words: string): void {
  const [problem] = check({ mjml }, "email");
  expect(`${problem?.message} ${problem?.hint}`, mjml).to.include(words);
}

describe("the MJML of an email", () => {
  it("is refused where its elements are in the wrong place or not allowed", () => {
    refusesMjml("<mj-column></mj-column>", "Put it into an <mj-section>");
    refusesMjml(
      "<mj-section><mj-text>a</mj-text></mj-section>",
      "may contain mj-column",
    );
    refusesMjml(
      "<mj-text>a</mj-text><mj-section></mj-section>",
      "mixed at the top level",
    );
    refusesMjml("<mj-section>a</mj-section>", "Put it into an <mj-text>");
    refusesMjml("<p>a</p>", "HTML into an <mj-text>");
    refusesMjml(
      "<mj-raw><script>a</script></mj-raw>",
      "<mj-raw> is not allowed",
    );
    refusesMjml(
      '<mj-include path="/etc/passwd" />',
      "<mj-include> is not allowed",
    );
    refusesMjml("<mj-text><script>a</script></mj-text>", "No script ever runs");
    refusesMjml(
      '<mj-text width="{{ root.a }}">a</mj-text>',
      "cannot have an expression",
    );
    refusesMjml("<mj-text>a", "<mj-text> is not closed");
  });
});
