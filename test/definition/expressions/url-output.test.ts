import { expect } from "chai";
import { prints } from "./vocabulary.js";

const url = (href: string, source = "{{ root.href }}") =>
  prints(source, { href }, { output: "url" });

const allowed = [
  "https://example.org/a?b=c#d",
  "HTTP://EXAMPLE.ORG",
  "mailto:a@b.org",
  "tel:+49123",
  "/path",
  "path/to:colon",
  "#part",
  "?q=1",
  "asset:logo",
  "data:image/png;base64,AAAA",
  "",
];

const rejected = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " \u0000\u0001javascript:alert(1)",
  "java\nscript:alert(1)",
  "java\tscript:alert(1)",
  "java\u200bscript:alert(1)",
  "javascript\u00a0:alert(1)",
  "vbscript:x",
  "data:text/html,<script>1</script>",
  "data:image/svg+xml,x",
  "data:image/svg+xml+html,x",
  "data:,x",
  "file:///etc/passwd",
  "blob:https://x",
  "ftp://x",
  "view-source:https://x",
  "weird scheme:x",
  "ü:x",
];

describe("url output", () => {
  for (const href of allowed) {
    it(`keeps ${JSON.stringify(href)}`, () => {
      expect(url(href)).to.equal(href);
    });
  }

  for (const href of rejected) {
    it(`prints nothing for ${JSON.stringify(href)}`, () => {
      expect(url(href)).to.equal("");
    });
  }

  it("is validated as a whole", () => {
    expect(url("script:alert(1)", "java{{ root.href }}")).to.equal("");
    expect(url("x", "https://a.org/{{ root.href }}")).to.equal(
      "https://a.org/x",
    );
  });

  it("is escaped for its attribute", () => {
    expect(url('/a?b=1&c="x y"')).to.equal("/a?b=1&amp;c=&quot;x%20y&quot;");
  });
});
