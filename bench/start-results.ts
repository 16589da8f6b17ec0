import { setTimeout as wait } from "node:timers/promises";
import {
  processTree,
  treePssMb,
} from "../core/rendering/browser/process-tree.js";
import { ApiClient, DataFolder, startDemo, startProcess } from "./service.js";
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

const REST_NAME = "memory-at-rest";
const DOCUMENTS_BEFORE_REST = 20;
const REST_MS = 60_000;

/** Memory of a new service a minute after its first documents. */
export const REST: Group = {
  names: [REST_NAME],
  results: async () => {
    const { folder, service, client, invoice } = await startDemo();
    try {
      for (let made = 0; made < DOCUMENTS_BEFORE_REST; made += 1)
        for (const format of ["pdf", "html"])
          await client.post("/api/export", { ...invoice, formats: [format] });
      await wait(REST_MS);
      const [, browser = 0] = await processTree(service.pid);
      const pssMb = (await treePssMb(service.pid)) ?? 0;
      const browserPssMb = (await treePssMb(browser)) ?? 0;
      const servicePssMb = pssMb - browserPssMb;
      return [{ name: REST_NAME, pssMb, servicePssMb, browserPssMb }];
    } finally {
      client.close();
      await service.stop();
      await folder.remove();
    }
  },
};
