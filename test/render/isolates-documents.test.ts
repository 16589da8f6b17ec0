import { createHash } from "node:crypto";
import { expect } from "chai";
import { ample, page, startRenderer } from "../support/renderer.js";

const probe = page(
  "<p class=leak>Probe</p><ol><li>one</ol><a href='#x'>a</a><input name=a><h1 lang=zh>字</h1>",
  "p { font-family: Secret, Inter; color: var(--leak, black) } li { list-style: leaky } :root { color-scheme: light dark } @page { size: A5 }",
);

/** Documents that leave as much behind as a document can. */
const dirty = {
  title: "<!doctype html><title>SECRET</title><p>x",
  direction: "<!doctype html><html lang=ja dir=rtl><p>x",
  base: "<!doctype html><base href='https://secret.invalid/'><p>x",
  "quirks mode": "<p>x",
  "colour scheme": "<!doctype html><meta name=color-scheme content=dark><p>x",
  viewport:
    "<!doctype html><meta name=viewport content='width=200, initial-scale=3'><p>x",
  "security policy":
    "<!doctype html><meta http-equiv=Content-Security-Policy content=\"style-src 'none'\"><p>x",
  refresh:
    "<!doctype html><meta HTTP-EQUIV=refresh content='0;url=about:blank#x'><p>x",
  "named styles":
    "<!doctype html><style>@property --leak { syntax: '<color>'; inherits: true; initial-value: red } @counter-style leaky { system: cyclic; symbols: 'L' } @font-face { font-family: Secret; src: local('Inter Bold') } @page { size: A3; @top-left { content: 'LEAK' } } .leak { color: red }</style><p style='font-family: Secret'>x",
  form: "<!doctype html><form><input name=a value=LEAK autofocus></form>",
  frames: "<!doctype html><frameset><frame></frameset>",
  "endless script": "<!doctype html><script>for (;;);</script><!-- open",
  plaintext: "<!doctype html><plaintext>x",
};

/** A print without what differs between any two prints. */
function fingerprint(pdf: Buffer): string {
  const text = pdf
    .toString("latin1")
    .replaceAll(/\/(CreationDate|ModDate) \([^)]*\)/g, "");
  return createHash("sha256").update(text).digest("hex");
}

describe("a page that is used again", () => {
  it("prints the same after any other document as on a fresh page", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const print = async (html: string) =>
      fingerprint((await renderer.pdf({ html, deadline: ample() })).bytes);
    const clean = await print(probe);
    for (const [name, html] of Object.entries(dirty)) {
      await print(html);
      expect(await print(probe), `after ${name}`).to.equal(clean);
    }
    await renderer.stop();
  });
});
