import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import { type Isolation, installBrowser } from "../../core/rendering/index.js";
import { until } from "../support/eventually.js";
import {
  ample,
  page,
  sharedRenderer,
  startRenderer,
  RENDER_CACHE,
} from "../support/renderer.js";
import { suiteFolder } from "../support/store-folder.js";

/** Where less is shared the walls are the same: all ways are tried in a few documents. */
const apart: readonly Isolation[] = ["organization", "document"];
const DOCUMENTS = 6;

/** As many as were once found, at the least. */
const KNOWN_WAYS = 39;

const small = { widthPx: 300, type: "png", scale: 1 } as const;

/** How many ways work in a browser that nothing holds back, at the least: it proves that the canary hears. */
const OPEN_WAYS = 20;

async function receivesNothing(
  isolation: Isolation,
  documents: (vectors: [string, string][]) => [string, string][],
): Promise<void> {
  const renderer = await startRenderer({ isolation });
  const canary = await listenForLeaks();
  const vectors = Object.entries(networkVectors(canary.url));
  expect(vectors.length).to.be.at.least(KNOWN_WAYS);
  for (const [name, inside] of documents(vectors)) {
    const job = { html: page(inside), owner: "one", deadline: ample() };
    expect((await renderer.pdf(job)).pages, name).to.be.at.least(1);
    await renderer.screenshot({ ...job, ...small });
  }
  await renderer.stop();
  expect(canary.requests).to.deep.equal({ paths: [], connections: 0 });
  await canary.close();
}

describe("a document", () => {
  const folder = suiteFolder();

  it("reaches no server, whatever feature it uses", () =>
    receivesNothing("shared", (vectors) => vectors));

  for (const isolation of apart)
    it(`reaches no server by several features together (${isolation})`, () =>
      receivesNothing(isolation, (vectors) =>
        Array.from({ length: DOCUMENTS }, (_, turn) => {
          const own = vectors.filter((_way, at) => at % DOCUMENTS === turn);
          const insides = own.map(([, inside]) => inside);
          return [own.map(([name]) => name).join(), insides.join("\n")];
        }),
      ));

  it("would reach the server without the protection", async () => {
    const control = await listenForLeaks();
    const leaky = Object.values(networkVectors(control.url)).join("\n");
    await openUnguarded(
      page(leaky),
      folder,
      () => new Set(control.requests.paths).size >= OPEN_WAYS,
    );
    await control.close();
  });

  it("cannot read files of the machine", async () => {
    const renderer = await sharedRenderer();
    const print = async (file: string) => {
      const sources = ["iframe src", "embed src", "img src", "object data"];
      const html = page(
        sources.map((source) => `<${source}="file://${file}">`).join("<br>"),
      );
      return (await renderer.pdf({ html, deadline: ample() })).bytes.length;
    };
    expect(await print("/etc/os-release")).to.equal(await print("/nowhere/x"));
  });
});

/** Every way that we know by which a document may reach out to `url`; each as the inside of a document. */
function networkVectors(url: string): Record<string, string> {
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
