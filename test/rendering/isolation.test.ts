import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import {
  installBrowser,
  type Isolation,
  type Renderer,
} from "../../core/rendering/index.js";
import { living, pageProcesses } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { page, RENDER_CACHE, startRenderer } from "../support/renderer.js";
import { suiteFolder } from "../support/store-folder.js";
import { print as printBy, shoot } from "./jobs.js";

/** How many documents try all ways together where each has a page of its own. */
const DOCUMENTS = 6;

/** As many ways to reach out as were once found, at the least. */
const KNOWN_WAYS = 39;

/** How many ways work in a browser that nothing holds back, at the least: it proves that the canary hears. */
const OPEN_WAYS = 20;

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

/** Owners of documents, and whether they end the process of the page that printed the first of them. */
const lifetimes: [Isolation, owners: (string | undefined)[], isEnd: boolean][] =
  [
    ["shared", ["one", "two", undefined], false],
    ["organization", [undefined], true],
    ["organization", ["one", "one", "one"], false],
    ["organization", ["one", "two"], true],
    ["document", ["one"], true],
  ];

for (const isolation of ["shared", "organization", "document"] as const)
  describe(`a page of a renderer with the isolation "${isolation}"`, () => {
    let renderer: Renderer;
    const print = (html: string, owner: string | undefined = "one") =>
      printBy(html, { owner }, renderer);

    const printProbe = async () => fingerprint((await print(probe)).bytes);

    before(async () => {
      renderer = await startRenderer({ pages: 1, isolation });
    });

    for (const [own, owners, isEnd] of lifetimes)
      if (own === isolation)
        it(`${isEnd ? "ends with" : "goes on after"} the documents of ${owners.join(", ") || "nobody"}`, async () => {
          const browser = renderer.health().browser?.pid ?? 0;
          const isClosed = (await pageProcesses(browser)).length === 0;
          if (isClosed) await print(page("x"), owners[0]);
          const processes = await pageProcesses(browser);
          expect(processes).not.to.deep.equal([]);
          for (const owner of owners)
            await printBy(page("x"), { owner }, renderer);
          if (isEnd)
            await until(
              "its process is gone",
              async () => (await living(processes)).length === 0,
            );
          else expect(await living(processes)).not.to.deep.equal([]);
          await print(page("x"));
          const { restarts, pagesReplaced } = renderer.health();
          expect([restarts, pagesReplaced]).to.deep.equal([0, 0]);
        });

    it("prints the same after any other document as on a fresh page", async () => {
      const clean = await printProbe();
      for (const [name, html] of Object.entries(dirty)) {
        await print(html);
        // Where less is shared, what stays hidden after each document stays hidden after all of them.
        if (isolation === "shared")
          expect(await printProbe(), `after ${name}`).to.equal(clean);
      }
      expect(await printProbe()).to.equal(clean);
    });

    it("reaches no server, whatever feature its documents use", async () => {
      const canary = await listenForLeaks();
      const ways = Object.entries(listNetworkWays(canary.url));
      expect(ways.length).to.be.at.least(KNOWN_WAYS);
      // Where less is shared the walls are the same: all ways are tried in a few documents.
      const count = isolation === "shared" ? ways.length : DOCUMENTS;
      await Promise.all(
        Array.from({ length: count }, async (_, turn) => {
          const together = ways.filter((_way, at) => at % count === turn);
          const html = page(together.map(([, inside]) => inside).join("\n"));
          const names = together.map(([name]) => name).join();
          expect((await print(html)).pages, names).to.be.at.least(1);
          await shoot(html, { owner: "one" }, renderer);
        }),
      );
      await renderer.stop();
      expect(canary.requests).to.deep.equal({ paths: [], connections: 0 });
      await canary.close();
    });
  });

describe("a document in a browser that nothing holds back", () => {
  const folder = suiteFolder();

  it("reaches the server", async () => {
    const control = await listenForLeaks();
    const leaky = Object.values(listNetworkWays(control.url)).join("\n");
    await openUnguarded(
      page(leaky),
      folder,
      () => new Set(control.requests.paths).size >= OPEN_WAYS,
    );
    await control.close();
  });
});

/** Every way that we know by which a document may reach out to `url`; each as the inside of a document. */
function listNetworkWays(url: string): Record<string, string> {
  return {
    ...linked(url),
    ...embedded(url),
    ...styled(url),
    ...drawn(url),
    ...moving(url),
    ...scripted(url),
  };
}

function linked(url: string): Record<string, string> {
  const rels =
    "stylesheet icon prefetch preconnect dns-prefetch prerender manifest modulepreload next pingback";
  const links = rels
    .split(" ")
    .map((rel) => [`link ${rel}`, `<link rel="${rel}" href="${url}/${rel}">`]);
  return {
    ...Object.fromEntries(links),
    "link preload image": `<link rel="preload" as="image" href="${url}/preload">`,
    "link preload font": `<link rel="preload" as="font" crossorigin href="${url}/font">`,
    base: `<base href="${url}/base/"><img src="relative.png">`,
  };
}

function embedded(url: string): Record<string, string> {
  return {
    img: `<img src="${url}/img">`,
    "img srcset": `<img srcset="${url}/srcset 2x">`,
    picture: `<picture><source srcset="${url}/picture"><img></picture>`,
    video: `<video autoplay src="${url}/video" poster="${url}/poster"></video>`,
    audio: `<audio autoplay src="${url}/audio"></audio>`,
    track: `<video><track default src="${url}/track"></video>`,
    iframe: `<iframe src="${url}/iframe"></iframe>`,
    "iframe srcdoc": `<iframe srcdoc="<img src='${url}/srcdoc'>"></iframe>`,
    object: `<object data="${url}/object"></object>`,
    embed: `<embed src="${url}/embed">`,
    "input image": `<input type="image" src="${url}/input">`,
    "table background": `<table background="${url}/table"><tr><td>x</table>`,
  };
}

function styled(url: string): Record<string, string> {
  const css = {
    import: `@import "${url}/import";`,
    background: `p { background: url(${url}/background) }`,
    "font face": `@font-face { font-family: F; src: url(${url}/face) } p { font-family: F }`,
    content: `p::before { content: url(${url}/content) }`,
    "list image": `p { display: list-item; list-style: url(${url}/list) }`,
    "border image": `p { border: 9px solid; border-image: url(${url}/border) 9 }`,
    mask: `p { mask: url(${url}/mask) }`,
    cursor: `p { cursor: url(${url}/cursor), auto }`,
    filter: `p { filter: url(${url}/filter#f) }`,
    "margin box": `@page { @top-left { content: url(${url}/margin) } }`,
    "image set": `p { background: image-set("${url}/set" 1x) }`,
  };
  return Object.fromEntries(
    Object.entries(css).map(([name, rules]) => [
      `css ${name}`,
      `<style>${rules}</style><p>x</p>`,
    ]),
  );
}

function drawn(url: string): Record<string, string> {
  return {
    "svg image": svg(`<image href="${url}/svg-image"/>`),
    "svg use": svg(`<use href="${url}/use#a"/>`),
    "svg feImage": svg(
      `<filter id="f"><feImage href="${url}/fe"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
    ),
    "svg in a data url": `<img src="data:image/svg+xml,${encodeURIComponent(svg(`<image href="${url}/inner"/>`))}">`,
    "foreign object": svg(
      `<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="${url}/foreign"/></foreignObject>`,
    ),
    "xml stylesheet": `<?xml-stylesheet href="${url}/xsl"?>`,
  };
}

function svg(inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
}

function moving(url: string): Record<string, string> {
  return {
    refresh: `<meta http-equiv="refresh" content="0;url=${url}/refresh">`,
    "link header": `<meta http-equiv="link" content="<${url}/header>;rel=preload">`,
    "policy report": `<meta http-equiv="content-security-policy" content="img-src 'none'; report-uri ${url}/report"><img src="data:,">`,
    ping: `<a autofocus href="#" ping="${url}/ping">x</a>`,
    form: `<form action="${url}/form"><input autofocus><button>x</button></form>`,
    "speculation rules": `<script type="speculationrules">{"prefetch":[{"urls":["${url}/speculation"]}]}</script>`,
  };
}

function scripted(url: string): Record<string, string> {
  return {
    script: `<script src="${url}/script"></script>`,
    "module script": `<script type="module">import "${url}/module"</script>`,
    fetch: `<script>fetch("${url}/fetch")</script>`,
    beacon: `<script>navigator.sendBeacon("${url}/beacon")</script>`,
    socket: `<script>new WebSocket("${url.replace("http", "ws")}/socket")</script>`,
    "event handler": `<img src="data:," onerror="fetch('${url}/handler')">`,
    "javascript url": `<iframe src="javascript:fetch('${url}/js')"></iframe>`,
    navigation: `<script>location = "${url}/navigation"</script>`,
    worker: `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${url}/worker')"])))</script>`,
    "peer connection": `<script>new RTCPeerConnection({ iceServers: [{ urls: "stun:${url.replace("http://", "")}" }] }).createDataChannel("x")</script>`,
  };
}

/** Opens html in the same Chromium with nothing to hold it back, until `isEnough`. Its files go to `folder`. */
async function openUnguarded(
  html: string,
  folder: string,
  isEnough: () => boolean,
): Promise<void> {
  const home = await installBrowser(RENDER_CACHE);
  const file = join(folder, "unguarded.html");
  writeFileSync(file, html);
  const browser = spawn(
    home.executable,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      `--user-data-dir=${folder}`,
      "--remote-debugging-pipe",
      `file://${file}`,
    ],
    {
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      env: {
        LD_LIBRARY_PATH: home.libraries ?? "",
        FONTCONFIG_FILE: home.fontConfig,
      },
    },
  );
  await until("the unguarded browser reaches out", isEnough);
  process.kill(-(browser.pid ?? 0), "SIGKILL");
  await once(browser, "exit");
}

interface Canary {
  url: string;
  /** What was asked for, and how many connections were opened with or without a question. */
  requests: { paths: string[]; connections: number };
  close(): Promise<void>;
}

/** A server on the loopback address that writes down whoever comes. */
async function listenForLeaks(): Promise<Canary> {
  const requests = { paths: new Array<string>(), connections: 0 };
  const server = createServer((request, response) => {
    requests.paths.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("x");
  });
  server.on("connection", () => (requests.connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new TypeError("the canary listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
