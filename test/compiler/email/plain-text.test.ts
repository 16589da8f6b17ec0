import { expect } from "chai";
import { describe, it } from "mocha";
import { toPlainText } from "../../../core/compiler/index.js";

describe("the text of an email for readers without html", () => {
  const cases: [string, string][] = [
    ['<a href="https://a.example">A</a>', "A: https://a.example"],
    [
      '<a href="https://a.example">A</a><a href="https://b.example">B</a>',
      "A: https://a.example\nB: https://b.example",
    ],
    [
      '<a class="x" href="https://a.example">https://a.example</a>',
      "https://a.example",
    ],
    [
      '<a href="https://a.example"><img src="x" alt="Logo"></a>',
      "Logo: https://a.example",
    ],
    ['<a href="https://a.example"><img src="x"></a>', "https://a.example"],
    ["<ul><li>a</li><li>b</li></ul>", "- a\n\n- b"],
    ["<table><tr><th>A</th><td>1</td></tr></table>", "A 1"],
    ["<h1>A</h1><p>b<br>c</p><div>d</div><hr>e", "A\n\nb\nc\n\nd\n\ne"],
    ["<p>a \n\t b</p>", "a b"],
    ["<style>p{}</style><title>t</title><!-- c --><p>a</p>", "a"],
    ['<div style="display:none;x">hidden<b>x</b></div>a', "a"],
    ["&amp;&lt;&gt;&quot;&nbsp;&#39;&#x41;&euro;", "&<>\" 'A&euro;"],
    ["a&#1114112;b&#1114111;", "ab\u{10ffff}"],
    ["a\u200bb\u200cc\ufeff", "abc"],
    ["&amp;lt;", "&lt;"],
  ];
  for (const [html, text] of cases)
    it(`of ${html} is ${JSON.stringify(text)}`, () => {
      expect(toPlainText(html)).to.equal(`${text}\n`);
    });
});
