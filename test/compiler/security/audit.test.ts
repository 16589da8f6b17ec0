import { expect } from "chai";
import { audit, readDocument } from "./audit.js";

const dangerous = {
  "a script": "<p>a<script>breach()</script>",
  "a script in a template": "<template><script>breach()</script></template>",
  "a script in a picture": "<svg><script>breach()</script></svg>",
  "a handler": "<p onclick=breach()>a",
  "a frame": "<iframe srcdoc=x></iframe>",
  "a form": "<form><input></form>",
  "a refresh": "<meta http-equiv=refresh content=0>",
  "a base": "<base href=//evil.example>",
  "a dangerous link": "<a href=' java\tscript:breach()'>a</a>",
  "a drawing that is opened": "<a href='data:image/svg+xml,x'>a</a>",
  "a file": "<img src=file:///etc/passwd>",
  "a rule that loads": "<style>p{background:url(//evil.example)}</style>",
  "an import": "<style>@import '//evil.example'</style>",
  "a style that loads": "<p style=\"background:u\\72l('//evil.example')\">a",
  "a style that runs": "<p style='width:expression(breach())'>a",
  "a script in a header's art":
    '<style>p{--top:url("data:image/svg+xml;charset=utf-8,%3Csvg%3E%3Cscript/%3E")}</style>',
  "a script for Outlook":
    "<!--[if mso]><script>breach()</script><![endif]--><p>a",
  "a script where none may run":
    "<noscript><p title='</noscript><script>breach()</script>'></noscript>",
};

describe("the audit of a merged document", () => {
  for (const [name, html] of Object.entries(dangerous))
    it(`detects ${name}`, () => {
      expect(audit(readDocument(html))).not.to.eql([]);
    });

  it("accepts a plain document", () => {
    const html =
      "<!doctype html><html><head><meta charset=utf-8><title>a</title><style>p{color:rgb(0 0 0)}</style></head>" +
      "<body><p style='color:red'><a href=https://a.example>a</a><img src='data:image/png;base64,AA'></p></body></html>";
    expect(audit(readDocument(html))).to.eql([]);
  });
});
