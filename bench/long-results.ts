import { Measurement } from "./measurement.js";
import { isWanted } from "./options.js";
import { RunningService } from "./service.js";
import type { BenchResult, Group } from "./scenario.js";

const BESIDE = "short-beside-long";
const ALONE = "short-alone";
const ROWS = new Map([
  ["long-1000-rows", 1_000],
  ["long-10000-rows", 10_000],
]);

const SHORT_COUNT = 100;

/** Documents of many pages, and short ones while a long one is printed. */
export const LONG: Group = {
  names: [...ROWS.keys(), ALONE, BESIDE],
  results: longResults,
};

/** One after the other on a service of their own, whose browser has printed nothing long before. */
async function longResults(): Promise<BenchResult[]> {
  const service = await RunningService.start();
  try {
    await measureShort(service, ALONE, 20);
    const long: BenchResult[] = [];
    for (const [name, rows] of ROWS)
      if (isWanted(name)) long.push(await longOne(service, name, rows));
    return [...long, ...(await measureBesideLong(service))];
  } finally {
    await service.stop();
  }
}

async function longOne(
  service: RunningService,
  name: string,
  rows: number,
): Promise<BenchResult> {
  let pages = 0;
  const measurement = new Measurement({
    name,
    concurrency: 1,
    roots: [service.pid],
    runOnce: async () => {
      pages = await service.renderLong(rows);
    },
  });
  await measurement.round(1);
  return { ...measurement.result(), pages };
}

async function measureBesideLong(
  service: RunningService,
): Promise<BenchResult[]> {
  if (!isWanted(ALONE) && !isWanted(BESIDE)) return [];
  const alone = await measureShort(service, ALONE, SHORT_COUNT);
  if (!isWanted(BESIDE)) return [alone];
  let isPrinting = true;
  const long = service.renderLong(10_000).finally(() => {
    isPrinting = false;
  });
  const beside = await measureShort(
    service,
    BESIDE,
    SHORT_COUNT,
    () => isPrinting,
  );
  await long;
  return [alone, beside];
}

/** One after the other, at most `count`, as long as `goesOn`. */
async function measureShort(
  service: RunningService,
  name: string,
  count: number,
  shouldContinue: () => boolean = () => true,
): Promise<BenchResult> {
  const measurement = new Measurement({
    name,
    concurrency: 1,
    roots: [service.pid],
    runOnce: async () => void (await service.render("pdf")),
  });
  for (let made = 0; made < count && shouldContinue(); made += 1)
    await measurement.round(1);
  return measurement.result();
}
