import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { createRenderer } from "../core/rendering/index.js";
import { blueprints } from "../core/templates/blueprints/index.js";
import {
  copyFonts,
  galleryPage,
  type GalleryEntry,
} from "./showcase/gallery-page.js";
import { pagePicture } from "./showcase/page-picture.js";
import { renderEntry } from "./showcase/render-entry.js";

// Renders every example template with its sample record, in all formats, into gallery/ with an index page.
// `--docs` also renews the pictures of the documentation.

const folder = resolve("gallery");
const log = pino({ level: "warn" }, pino.destination(2));
const renderer = createRenderer({ cacheFolder: resolve(".cache/render"), log });

async function renderAll(): Promise<GalleryEntry[]> {
  const entries: GalleryEntry[] = [];
  for (const blueprint of blueprints()) {
    process.stderr.write(`${blueprint.id}\n`);
    entries.push(await renderEntry(blueprint, { renderer, folder }));
  }
  return entries;
}

async function renewPictures(): Promise<void> {
  const page = await readFile(join(folder, "invoice/page-1.png"));
  await mkdir("docs/images", { recursive: true });
  await writeFile("docs/images/invoice.png", await pagePicture(page));
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
await renderer.start();
try {
  const page = galleryPage(await renderAll());
  await copyFonts(folder);
  await writeFile(join(folder, "index.html"), page);
  if (process.argv.includes("--docs")) await renewPictures();
} finally {
  await renderer.stop();
}
process.stdout.write(`${join(folder, "index.html")}\n`);
