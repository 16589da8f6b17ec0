import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
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
const dirty = readTexts("dirty-documents.json");

function readTexts(file: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
}

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
  const { host } = new URL(url);
  const names = {
    url,
    host,
    wsUrl: `ws://${host}`,
    encodedUrl: encodeURIComponent(url),
  };
  return Object.fromEntries(
    Object.entries(readTexts("network-ways.json")).map(([way, html]) => [
      way,
      Object.entries(names).reduce(
        (text, [name, value]) => text.replaceAll(`{${name}}`, value),
        html,
      ),
    ]),
  );
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
