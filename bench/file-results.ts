import { createReadStream, openAsBlob } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse";
import { rounded, UsageWatch } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import { ApiClient, DataFolder, startProcess } from "./service.js";

/** Two sizes, to see whether the memory grows with the rows. */
const SIZES = [10_000, 100_000];

/** A CSV file from the first byte of the request to the answer that its batch is accepted; nothing is rendered. */
export const FILES: Group = {
  names: SIZES.map(nameOf),
  results: async () => {
    const results: BenchResult[] = [];
    for (const rows of SIZES)
      if (isWanted(nameOf(rows))) results.push(...(await measure(rows)));
    return results;
  },
};

function nameOf(rows: number): string {
  return `file-${rows}`;
}

const FIELDS = [
  ["number", "String"],
  ["date", "Date"],
  ["customer", "String"],
  ["street", "String"],
  ["city", "String"],
  ["quantity", "Number"],
  ["price", "Number"],
  ["note", "String"],
] as const;

const DEFINITION = {
  schema: [
    {
      id: "root",
      fields: FIELDS.map(([name, type]) => ({ name, type })),
    },
  ],
  components: [{ type: "text", text: "Invoice {{ root.number }}" }],
};

async function measure(rows: number): Promise<BenchResult[]> {
  const folder = await DataFolder.make();
  const files = await mkdtemp(join(tmpdir(), "platen-bench-file-"));
  const path = join(files, "rows.csv");
  await writeRows(path, rows);
  const service = await startProcess("serve", { PLATEN_DATA: folder.path });
  const key = await folder.key();
  const client = new ApiClient(service.url, key);
  try {
    const template: { id: string } = JSON.parse(
      (
        await client.post("/api/templates", {
          name: "Rows",
          definition: DEFINITION,
        })
      ).toString(),
    );
    const form = new FormData();
    form.append(
      "request",
      JSON.stringify({ templateId: template.id, formats: ["html"] }),
    );
    form.append("file", await openAsBlob(path), "rows.csv");
    const rawMs = await readAlone(path, rows);
    const watch = await UsageWatch.start([service.pid]);
    const started = performance.now();
    const reply = await fetch(`${service.url}/api/export/batch/file`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: form,
    });
    const answer = await reply.text();
    const seconds = (performance.now() - started) / 1000;
    const { cpuMs, peakPssMb } = await watch.end();
    const { totalCount }: { totalCount?: number } = JSON.parse(answer);
    if (totalCount !== rows) throw new Error(answer.slice(0, 1000));
    return [
      { name: `${nameOf(rows)}-csv-parse`, seconds: rounded(rawMs / 1000, 2) },
      {
        name: nameOf(rows),
        docsPerSecond: rounded(rows / seconds),
        cpuMsPerDoc: rounded(cpuMs / rows, 3),
        peakPssMb: rounded(peakPssMb),
        seconds: rounded(seconds, 2),
        ofLimit: rounded((seconds * 1000) / rawMs, 1),
      },
    ];
  } finally {
    client.close();
    await service.stop();
    await folder.remove();
    await rm(files, { recursive: true, force: true });
  }
}

async function writeRows(path: string, rows: number): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.write(`${FIELDS.map(([name]) => name).join(",")}\n`);
    for (let at = 0; at < rows; at += 1000)
      await file.write(
        Array.from({ length: Math.min(1000, rows - at) }, (_, index) =>
          createRow(at + index + 1),
        ).join(""),
      );
  } finally {
    await file.close();
  }
}

function createRow(number: number): string {
  const day = String((number % 28) + 1).padStart(2, "0");
  return `R-${number},2026-11-${day},"Customer ${number}, Ltd.",${number % 200} Long Street,Springfield,${number % 9},${(number % 1000) / 4},"Thank you for order ${number}."\n`;
}

/** The limit: the same library over the same file, without anything else. */
async function readAlone(path: string, rows: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  for await (const row of createReadStream(path).pipe(parse()))
    count += Array.isArray(row) ? 1 : 0;
  if (count !== rows + 1) throw new Error(`read ${count} lines`);
  return performance.now() - started;
}
