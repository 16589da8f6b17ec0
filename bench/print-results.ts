import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { installBrowser } from "../core/rendering/index.js";
import { Measurement } from "./measurement.js";
import { isWanted, options } from "./options.js";
import { pdfmake } from "./pdfmake.js";
import { puppeteerNewPage } from "./puppeteer-new-page.js";
import { rawCdp } from "./raw-cdp.js";
import { RunningService } from "./running-service.js";
import type { BenchResult, Group, Running, Scenario } from "./scenario.js";

const WARM_UP = 40;
const CACHE = fileURLToPath(new URL("../.cache/render", import.meta.url));
const CALLERS = [1, 2, 4, 8];

/**
 * The demo invoice one by one: by a browser alone, by the service, by a library. All is started first and then
 * measured in turns, so that a disturbance of the machine meets all alike.
 */
export const PRINT: Group = {
  names: [
    "raw-cdp",
    "raw-cdp-1p",
    "puppeteer-new-page",
    ...CALLERS.map((callers) => `service-sync-c${callers}`),
    "http-html-c16",
    "pdfmake",
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
    {
      scenarios: serviceScenarios(service),
      stop: () => service.stop(),
    },
    ...(isWanted("pdfmake") ? [await pdfmake(service.record)] : []),
  ];
}

async function browsers(html: string): Promise<Running[]> {
  const home = await installBrowser(CACHE);
  return Promise.all([
    rawCdp(home, html),
    rawCdp(home, html, 1),
    puppeteerNewPage(home, html),
  ]);
}

function serviceScenarios(service: RunningService): Scenario[] {
  const roots = [service.pid];
  const printing = CALLERS.map((concurrency) => ({
    name: `service-sync-c${concurrency}`,
    concurrency,
    roots,
    makeOne: async () => void (await service.render("pdf")),
  }));
  const html = {
    name: "http-html-c16",
    concurrency: 16,
    roots,
    share: 8,
    makeOne: async () => void (await service.render("html")),
  };
  return [...printing, html];
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
