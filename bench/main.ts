import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepareBrowserHome } from "../core/render/index.js";
import { Measurement } from "./measurement.js";
import { puppeteerNewPage } from "./puppeteer-new-page.js";
import { rawCdp } from "./raw-cdp.js";
import { report } from "./report.js";
import { RunningService } from "./running-service.js";
import type { BenchResult, Scenario } from "./scenario.js";

// Measures the service beside the limit and beside what most people write, all with the same html. Everything is
// started first and then measured in turns, so that a disturbance of the machine meets all of them alike.
//
//   npm run bench -- [--json] [--documents 600] [--rounds 3] [--html FILE] [--only NAME,NAME]

const WARM_UP = 40;
const CACHE = fileURLToPath(new URL("../.cache/render", import.meta.url));

interface Started {
  scenarios: Scenario[];
  stop(): Promise<void>;
}

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    documents: { type: "string", default: "600" },
    rounds: { type: "string", default: "3" },
    html: { type: "string" },
    only: { type: "string" },
  },
});

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

function isWanted({ name }: Scenario): boolean {
  return !options.only || options.only.split(",").includes(name);
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

const started = await startAll();
try {
  const results = await measureAll(started.scenarios.filter(isWanted));
  const text = options.json ? JSON.stringify({ results }) : report(results);
  process.stdout.write(`${text}\n`);
} finally {
  await started.stop();
}
