import { createHash } from "node:crypto";
import { expect } from "chai";
import type { Isolation } from "../../core/rendering/index.js";
import { ample, page, startRenderer } from "../support/renderer.js";

/** Where less is shared, what stays hidden after each document stays hidden after all of them. */
const apart: readonly Isolation[] = ["organization", "document"];

const probe = page(
  "<p class=leak>Probe</p><ol><li>one</ol><a href='#x'>a</a> <a href='about:blank'>b</a><input name=a><h1 lang=zh>字</h1><i></i>",
  "p { font-family: Secret, Inter; color: var(--leak, black) } li { list-style: leaky } a:visited { color: red; font-weight: bold } i::after { content: counter(leak) counter(page) counter(pages) } .leaked p, [data-leak] p { color: red } :root { color-scheme: light dark } @page { size: A5 }",
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
  counters:
    "<!doctype html><style>html { counter-reset: leak 7 page 7 } p { counter-increment: leak } @page { counter-increment: page 3 }</style><p>x<p>y",
  "root element":
    "<!doctype html><html class=leaked data-leak style='zoom: 3; filter: invert(1)'><body style='color: red'><p>x",
  layers:
    "<!doctype html><style>@layer leak { p { color: red } } @scope (p) { :scope { color: red } } @font-palette-values --leak { font-family: Inter }</style><p>x",
  "scroll and focus":
    "<!doctype html><p style='height: 9999px'>x<a id=x href='#x' autofocus>y</a><dialog open>z</dialog><div popover>p</div>",
  "window name":
    "<!doctype html><base target=leak><iframe name=leak srcdoc='<p>x'></iframe><form target=leak></form>",
  storage:
    "<!doctype html><meta http-equiv=set-cookie content='leak=1'><script>localStorage.leak = document.cookie = name = 'leak=1'; indexedDB.open('leak'); history.pushState(1, '', '#x'); document.documentElement.className = 'leaked'</script><p>x",
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

async function printing(isolation: Isolation) {
  const renderer = await startRenderer({ pages: 1, isolation });
  return async (html: string): Promise<string> => {
    const job = { html, owner: "one", deadline: ample() };
    return fingerprint((await renderer.pdf(job)).bytes);
  };
}

describe("a page", () => {
  it("prints the same after any other document as on a fresh page", async () => {
    const print = await printing("shared");
    const clean = await print(probe);
    for (const [name, html] of Object.entries(dirty)) {
      await print(html);
      expect(await print(probe), `after ${name}`).to.equal(clean);
    }
  });

  for (const isolation of apart)
    it(`prints the same after all of them (${isolation})`, async () => {
      const print = await printing(isolation);
      const clean = await print(probe);
      for (const html of Object.values(dirty)) await print(html);
      expect(await print(probe)).to.equal(clean);
    });
});
