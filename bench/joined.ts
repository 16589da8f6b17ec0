import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { PDFDocument } from "@cantoo/pdf-lib";
import type * as pdfModule from "../core/rendering/pdf/index.js";
import { rounded, UsageWatch } from "./measurement.js";
import { options } from "./options.js";
import type { BenchResult } from "./scenario.js";
import { RunningService } from "./service.js";

// Joins the demo invoice, a tagged PDF of two pages, many times, with bookmarks and page numbers across all, as the
// worker of merged files does. `npm run bench` runs it in a process of its own; alone it is
//
//   node --import tsx bench/joined.ts --only merge-500

/** pdf-lib has all of the result in memory, and so takes no more. */
const maxInMemory = 500;

const name = options.only ?? "";
const count = Number(name.replace("merge-", ""));
const service = await RunningService.start();
const answer: { pdf: { url: string } } = JSON.parse(
  (await service.render("pdf")).toString(),
);
const file = await fetch(answer.pdf.url);
const bytes = new Uint8Array(await file.arrayBuffer());
await service.stop();

const { PdfMerge }: typeof pdfModule = await import(
  new URL("../.cache/tests/core/rendering/pdf/index.js", import.meta.url).href
);
const folder = await mkdtemp(join(tmpdir(), "platen-bench-joined-"));
const results: BenchResult[] = [];
try {
  const source = join(folder, "one.pdf");
  await writeFile(source, bytes);
  const copyMs = await measureMs(() => copyAll(source));
  results.push({ name: `${name}-copy`, seconds: rounded(copyMs / 1000, 2) });
  const watch = await UsageWatch.start([process.pid]);
  const ms = await measureMs(() => joinAll(source));
  const { peakPssMb } = await watch.end();
  results.push({
    name,
    docsPerSecond: rounded(count / (ms / 1000)),
    peakPssMb: rounded(peakPssMb),
    seconds: rounded(ms / 1000, 2),
    ofLimit: rounded(ms / copyMs, 1),
  });
  if (count <= maxInMemory) {
    const watchLibrary = await UsageWatch.start([process.pid]);
    const libraryMs = await measureMs(joinInMemory);
    const library = await watchLibrary.end();
    results.push({
      name: `${name}-pdf-lib`,
      docsPerSecond: rounded(count / (libraryMs / 1000)),
      peakPssMb: rounded(library.peakPssMb),
      seconds: rounded(libraryMs / 1000, 2),
      ofLimit: rounded(libraryMs / copyMs, 1),
    });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(JSON.stringify(results));

async function measureMs(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The limit: the same bytes, read and written one after the other. */
async function copyAll(source: string): Promise<void> {
  const target = createWriteStream(join(folder, "copied"));
  for (let at = 0; at < count; at += 1) {
    const read = await buffer(createReadStream(source));
    await new Promise((resolve) => target.write(read, resolve));
  }
  await new Promise<void>((resolve) => target.end(resolve));
}

async function joinAll(source: string): Promise<void> {
  const merge = new PdfMerge(
    join(folder, "merged.pdf"),
    {
      title: "All invoices",
      bookmarks: true,
      pageNumbers: true,
      startsOnOddPage: false,
    },
    new AbortController().signal,
  );
  for (let at = 0; at < count; at += 1) {
    const read = await buffer(createReadStream(source));
    await merge.add({ bytes: read, title: `Invoice ${at + 1}` });
  }
  const { pages } = await merge.end();
  await merge.stop();
  if (pages !== 2 * count) throw new Error(`the file has ${pages} pages`);
}

/** Without bookmarks, tags and page numbers, which the library does not join. */
async function joinInMemory(): Promise<void> {
  const target = await PDFDocument.create();
  for (let at = 0; at < count; at += 1) {
    const one = await PDFDocument.load(bytes);
    for (const page of await target.copyPages(one, one.getPageIndices()))
      target.addPage(page);
  }
  await writeFile(join(folder, "library.pdf"), await target.save());
}
