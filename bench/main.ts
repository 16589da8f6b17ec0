import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { prepareBrowserHome } from "../core/render/index.js";
import { LONG_NAMES, longResults } from "./long-results.js";
import { Measurement } from "./measurement.js";
import { MERGE_NAMES, mergeResults } from "./merge-results.js";
import { checkNames, isWanted, options } from "./options.js";
import { puppeteerNewPage } from "./puppeteer-new-page.js";
import { rawCdp } from "./raw-cdp.js";
import { report } from "./report.js";
import { RunningService } from "./running-service.js";
import type { BenchResult, Scenario } from "./scenario.js";

// Measures the service beside the limit and beside what most people write, all with the same html. Everything is
// started first and then measured in turns, so that a disturbance of the machine meets all of them alike. What needs
// no browser is measured after that, by itself.
//
//   npm run bench -- [--json] [--documents 600] [--rounds 3] [--html FILE] [--only NAME,NAME]

const WARM_UP = 40;
const CACHE = fileURLToPath(new URL("../.cache/render", import.meta.url));

interface Started {
  scenarios: Scenario[];
  stop(): Promise<void>;
}

/** What is printed: by a browser alone, and by the service. */
const PRINT_NAMES = [
  "raw-cdp",
  "raw-cdp-1p",
  "puppeteer-new-page",
  "service-sync-c1",
  "service-sync-c4",
  "service-html-c4",
];

/** Without the service, when the html is given: then only the browser is measured. */
async function startAll(): Promise<Started> {
  const service = options.html ? null : await RunningService.start();
  const html = service
    ? await service.html()
    : await readFile(options.html ?? "", "utf8");
  const home = await prepareBrowserHome(CACHE);
  const browsers = await Promise.all([
    rawCdp(home, html),
    rawCdp(home, html, 1),
    puppeteerNewPage(home, html),
  ]);
  return {
    scenarios: [
      ...browsers.map(({ scenario }) => scenario),
      ...(service ? serviceScenarios(service) : []),
    ],
    stop: async () => {
      await Promise.all(browsers.map((browser) => browser.stop()));
      await service?.stop();
    },
  };
}

function serviceScenarios(service: RunningService): Scenario[] {
  const roots = [service.pid];
  const over = (name: string, format: "pdf" | "html", concurrency: number) => ({
    name,
    concurrency,
    roots,
    makeOne: async () => void (await service.render(format)),
  });
  return [
    over("service-sync-c1", "pdf", 1),
    over("service-sync-c4", "pdf", 4),
    over("service-html-c4", "html", 4),
  ];
}

async function measureAll(scenarios: readonly Scenario[]) {
  const rounds = Number(options.rounds);
  const perRound = Math.ceil(Number(options.documents) / rounds);
  for (const scenario of scenarios)
    await new Measurement(scenario).round(WARM_UP);
  const all = scenarios.map((scenario) => new Measurement(scenario));
  for (let round = 0; round < rounds; round += 1)
    for (const measurement of all) await measurement.round(perRound);
  return all.map((measurement): BenchResult => measurement.result());
}

async function printResults(): Promise<BenchResult[]> {
  if (!PRINT_NAMES.some(isWanted)) return [];
  const started = await startAll();
  try {
    const wanted = started.scenarios.filter(({ name }) => isWanted(name));
    return await measureAll(wanted);
  } finally {
    await started.stop();
  }
}

checkNames([...PRINT_NAMES, ...LONG_NAMES, ...MERGE_NAMES]);
const results = [
  ...(await printResults()),
  ...(await longResults()),
  ...(await mergeResults()),
];
const text = options.json ? JSON.stringify({ results }) : report(results);
process.stdout.write(`${text}\n`);
