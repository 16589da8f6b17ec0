import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Deadline } from "../../core/plugin-api/index.js";
import type { Renderer } from "../../core/rendering/index.js";
import type { Blueprint } from "../../core/templates/blueprints/index.js";
import {
  compileTemplate,
  inlineAssets,
  type MergedDocument,
  overlayHtml,
} from "../../core/compiler/index.js";
import { checkDefinition } from "../../core/definition/index.js";
import type { GalleryEntry } from "./gallery-page.js";

const PICTURE_SCALE = 1.5;
const LIMIT_MS = 60_000;

interface Outputs {
  pdf: Buffer;
  html: string;
  mjml: string;
  pictures: readonly Picture[];
}

interface Picture {
  widthPx: number;
  heightPx: number;
  bytes: Buffer;
}

/** Renders one example with its sample record in every format, into a folder of its own. */
export async function renderEntry(
  blueprint: Blueprint,
  { renderer, folder }: { renderer: Renderer; folder: string },
): Promise<GalleryEntry> {
  const outputs = await render(blueprint, renderer);
  await mkdir(join(folder, blueprint.id));
  return saveEntry(blueprint, outputs, folder);
}

async function render(
  { definition, templateType }: Blueprint,
  renderer: Renderer,
): Promise<Outputs> {
  const checked = checkDefinition(definition, templateType).definition;
  if (checked === null) throw new Error("The blueprint is refused.");
  const program = compileTemplate(checked, templateType);
  const options = { isTest: false, now: new Date() };
  const merged = program.merge(definition.sample, options);
  const html = inlineAssets(merged, new Map());
  const pdf = await print(merged, html, renderer);
  const pictures =
    templateType === "email"
      ? await drawWhole(html, merged, renderer)
      : await drawPages(pdf, renderer);
  const { mjml } = program.mjml(definition.sample, options);
  return { pdf, html, mjml, pictures };
}

async function print(
  { overlay, title, language }: MergedDocument,
  html: string,
  renderer: Renderer,
): Promise<Buffer> {
  const { bytes } = await renderer.pdf({
    html,
    title,
    language,
    ...(overlay && { overlay: (pages: number) => overlayHtml(overlay, pages) }),
    deadline: Deadline.after(LIMIT_MS),
  });
  return bytes;
}

function drawPages(pdf: Buffer, renderer: Renderer): Promise<Picture[]> {
  return renderer.images({
    pdf,
    type: "png",
    pages: "all",
    scale: PICTURE_SCALE,
    deadline: Deadline.after(LIMIT_MS),
  });
}

async function drawWhole(
  html: string,
  { page }: MergedDocument,
  renderer: Renderer,
): Promise<Picture[]> {
  const picture = await renderer.screenshot({
    html,
    widthPx: Math.round(page.widthPx),
    type: "png",
    scale: PICTURE_SCALE,
    deadline: Deadline.after(LIMIT_MS),
  });
  return [picture];
}

async function saveEntry(
  blueprint: Blueprint,
  { pdf, html, mjml, pictures }: Outputs,
  folder: string,
): Promise<GalleryEntry> {
  const save = async (label: string, name: string, bytes: Buffer | string) => {
    const path = `${blueprint.id}/${name}`;
    await writeFile(join(folder, path), bytes);
    return { label, path, sizeBytes: Buffer.byteLength(bytes) };
  };
  const files = [
    await save("PDF", "document.pdf", pdf),
    await save("HTML", "document.html", html),
    await save("MJML", "document.mjml", mjml),
  ];
  const pages: GalleryEntry["pictures"] = [];
  for (const [index, { bytes, widthPx, heightPx }] of pictures.entries()) {
    const file = await save("PNG", `page-${index + 1}.png`, bytes);
    if (index === 0) files.push(file);
    pages.push({ path: file.path, widthPx, heightPx });
  }
  return { blueprint, files, pictures: pages };
}
