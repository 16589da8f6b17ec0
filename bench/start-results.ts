import { ApiClient, DataFolder, startProcess } from "./service.js";
import { percentiles } from "./measurement.js";
import type { BenchResult, Group } from "./scenario.js";

const NAME = "first-pdf";
const TIMES = 5;

/** From the start of a process that is set up already to the answer with its first PDF. */
export const START: Group = {
  names: [NAME],
  results: async () => {
    const folder = await DataFolder.make();
    try {
      await firstPdfMs(folder);
      const times: number[] = [];
      while (times.length < TIMES) times.push(await firstPdfMs(folder));
      return [startResult(times)];
    } finally {
      await folder.remove();
    }
  },
};

function startResult(times: readonly number[]): BenchResult {
  return { name: NAME, ...percentiles(times) };
}

async function firstPdfMs(folder: DataFolder): Promise<number> {
  const started = performance.now();
  const service = await startProcess("all", { PLATEN_DATA: folder.path });
  const client = new ApiClient(service.url, await folder.key());
  try {
    await client.post("/api/export", await folder.invoice());
    return performance.now() - started;
  } finally {
    client.close();
    await service.stop();
  }
}
