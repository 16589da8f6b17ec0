import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { launch } from "puppeteer-core";
import type { BrowserInstallation } from "../core/rendering/browser/browser-installation.js";
import { BrowserProcess } from "../core/rendering/browser/browser.js";
import { installBrowser } from "../core/rendering/index.js";
import { HIDING_PX, IsolatedPage } from "../core/rendering/page-pool.js";
import { printPage } from "../core/rendering/print/printer.js";
import { Measurement } from "./measurement.js";
import { isWanted, options } from "./options.js";
import { startJsreport, startMakers } from "./peers.js";
import type { BenchResult, Group, Running, Scenario } from "./scenario.js";
import { RunningService } from "./service.js";

const WARM_UP = 40;
const CACHE = fileURLToPath(new URL("../.cache/render", import.meta.url));
const CALLERS = [1, 2, 4, 8];

/** What a standard costs is the difference to `service-sync-c1`, and with tags to `pdf-tagged-c1`. */
const PDF_OPTIONS = {
  archival: { conformance: "pdf/a-2u" },
  tagged: { tagged: true, outline: true },
  accessible: { conformance: ["pdf/a-2u", "pdf/ua-1"] },
};

/**
 * The demo invoice one by one: by a browser alone, by the service, by a library. All is started first and then
 * measured in turns, so that a disturbance of the machine meets all alike.
 */
export const PRINT: Group = {
  names: [
    "raw-cdp",
    "raw-cdp-1p",
    "raw-cdp-once",
    "puppeteer-new-page",
    ...CALLERS.map((callers) => `service-sync-c${callers}`),
    ...Object.keys(PDF_OPTIONS).map((name) => `pdf-${name}-c1`),
    "raw-cdp-markup",
    "markup-sync-c2",
    "http-html-c16",
    "http-html-c16-processes",
    "pdfmake",
    "typst",
    "jsreport-html-c16",
  ],
  results: async () => {
    const running = await startAll();
    try {
      const wanted = running.flatMap(({ scenarios }) => scenarios);
      return await measureAll(wanted.filter(({ name }) => isWanted(name)));
    } finally {
      await Promise.all(running.map((one) => one.stop()));
    }
  },
};

/** Without the service, when the html is given: then only the browser is measured. */
async function startAll(): Promise<Running[]> {
  if (options.html) return browsers(await readFile(options.html, "utf8"));
  const service = await RunningService.start();
  return [
    ...(await browsers(await service.html())),
    await rawCdp(
      await installBrowser(CACHE),
      await service.markupHtml(),
      "raw-cdp-markup",
    ),
    {
      scenarios: serviceScenarios(service),
      stop: () => service.stop(),
    },
    ...(isWanted("http-html-c16-processes") ? [await severalProcesses()] : []),
    ...(await startPeers(service.record)),
  ];
}

/** As many processes as there are cores. */
async function severalProcesses(): Promise<Running> {
  const service = await RunningService.start(availableParallelism());
  const scenario = htmlScenario("http-html-c16-processes", service);
  return { scenarios: [scenario], stop: () => service.stop() };
}

/** Documents in html are made long enough for V8 to compile what they need: after 5,000, each takes a third less time. */
function htmlScenario(name: string, service: RunningService): Scenario {
  return {
    name,
    concurrency: 16,
    roots: [service.pid],
    share: 30,
    runOnce: async () => void (await service.render("html")),
  };
}

async function startPeers(record: object): Promise<Running[]> {
  const running: Running[] = [];
  for (const name of ["pdfmake", "typst"] as const)
    if (isWanted(name)) running.push(await startMakers(name, record));
  if (isWanted("jsreport-html-c16"))
    running.push(await startJsreport("jsreport-html-c16", record));
  return running;
}

async function browsers(html: string): Promise<Running[]> {
  const home = await installBrowser(CACHE);
  return Promise.all([
    rawCdp(home, html, "raw-cdp"),
    rawCdp(home, html, "raw-cdp-1p", { pages: 1 }),
    rawCdp(home, html, "raw-cdp-once", { windowPx: HIDING_PX }),
    puppeteerNewPage(home, html),
  ]);
}

function serviceScenarios(service: RunningService): Scenario[] {
  const roots = [service.pid];
  const printing = CALLERS.map((concurrency) => ({
    name: `service-sync-c${concurrency}`,
    concurrency,
    roots,
    runOnce: async () => void (await service.render("pdf")),
  }));
  const markup = {
    name: "markup-sync-c2",
    concurrency: 2,
    roots,
    runOnce: async () => void (await service.renderMarkup("pdf")),
  };
  const standards = Object.entries(PDF_OPTIONS).map(([name, pdf]) => ({
    name: `pdf-${name}-c1`,
    concurrency: 1,
    roots,
    runOnce: async () => void (await service.renderPdf(pdf)),
  }));
  const html = htmlScenario("http-html-c16", service);
  return [...printing, ...standards, markup, html];
}

async function measureAll(
  scenarios: readonly Scenario[],
): Promise<BenchResult[]> {
  const rounds = Number(options.rounds);
  const perRound = Math.ceil(Number(options.documents) / rounds);
  for (const scenario of scenarios)
    await new Measurement(scenario).round(WARM_UP * (scenario.share ?? 1));
  const all = scenarios.map((scenario) => ({
    measurement: new Measurement(scenario),
    count: Math.ceil(perRound * (scenario.share ?? 1)),
  }));
  for (let round = 0; round < rounds; round += 1)
    for (const { measurement, count } of all) await measurement.round(count);
  return all.map(({ measurement }) => measurement.result());
}

/** The limit: pages that are kept open and told over the DevTools pipe what to print, and nothing else. */
async function rawCdp(
  home: BrowserInstallation,
  html: string,
  name: string,
  { pages = availableParallelism(), windowPx = 800 } = {},
): Promise<Running> {
  const browser = await BrowserProcess.launch(home, {
    purpose: "print",
    isSandboxed: true,
    pageMemoryMb: 4096,
    startMs: 20_000,
  });
  const open = await Promise.all(
    Array.from({ length: pages }, () => IsolatedPage.open(browser, false)),
  );
  for (const page of open) await page.setWindow(windowPx);
  const scenario: Scenario = {
    name,
    concurrency: pages,
    roots: [browser.pid],
    runOnce: async (worker) => {
      const page = open[worker];
      if (!page) throw new RangeError(`there is no page ${worker}`);
      await printPage(page, html, {});
      page.cleanUp();
    },
  };
  return { scenarios: [scenario], stop: () => browser.stop() };
}

/** What most people write: puppeteer with its own flags, a new page for each document. */
async function puppeteerNewPage(
  home: BrowserInstallation,
  html: string,
): Promise<Running> {
  const browser = await launch({
    executablePath: home.executable,
    headless: "shell",
    args: ["--no-sandbox"],
    env: {
      ...process.env,
      FONTCONFIG_FILE: home.fontConfig,
      LD_LIBRARY_PATH: home.libraries ?? "",
    },
  });
  const scenario: Scenario = {
    name: "puppeteer-new-page",
    concurrency: availableParallelism(),
    share: 0.2,
    roots: [browser.process()?.pid ?? 0],
    runOnce: async () => {
      const page = await browser.newPage();
      await page.setContent(html);
      await page.pdf({ preferCSSPageSize: true, printBackground: true });
      await page.close();
    },
  };
  return { scenarios: [scenario], stop: () => browser.close() };
}
