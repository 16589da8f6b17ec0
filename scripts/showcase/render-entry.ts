import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Deadline } from "../../core/contract/index.js";
import type { PageImage, Renderer } from "../../core/render/index.js";
import type { Blueprint } from "../../core/template/blueprints/index.js";
import {
  checkDefinition,
  compileTemplate,
  inlineAssets,
  type MergedDocument,
} from "../../core/template/index.js";
import type { GalleryEntry } from "./gallery-page.js";

const PICTURE_SCALE = 1.5;
const LIMIT_MS = 60_000;

/** Renders one example with its sample record in every format, into a folder of its own. */
export async function renderEntry(
  blueprint: Blueprint,
  { renderer, folder }: { renderer: Renderer; folder: string },
): Promise<GalleryEntry> {
  const merged = merge(blueprint);
  const html = inlineAssets(merged, new Map());
  const { bytes: pdf } = await printed(merged, html, renderer);
  const pages = await renderer.images({
    pdf,
    type: "png",
    pages: "all",
    scale: PICTURE_SCALE,
    deadline: Deadline.after(LIMIT_MS),
  });
  await mkdir(join(folder, blueprint.id));
  const save = saver(folder, blueprint.id);
  return {
    blueprint,
    files: [
      await save("PDF", "document.pdf", pdf),
      await save("HTML", "document.html", Buffer.from(html)),
      await save("PNG", "page-1.png", pages[0]?.bytes ?? Buffer.alloc(0)),
    ],
    pictures: await savePages(pages, save),
  };
}

function merge({ definition, templateType }: Blueprint): MergedDocument {
  const checked = checkDefinition(definition, templateType).definition;
  if (checked === null) throw new Error("The blueprint is refused.");
  return compileTemplate(checked, templateType).merge(definition.sample, {
    isTest: false,
    now: new Date(),
  });
}

function printed(merged: MergedDocument, html: string, renderer: Renderer) {
  const { overlay, title, language } = merged;
  return renderer.pdf({
    html,
    title,
    language,
    ...(overlay && { overlay: (pages: number) => overlay.html(pages) }),
    deadline: Deadline.after(LIMIT_MS),
  });
}

type Save = ReturnType<typeof saver>;

function saver(folder: string, id: string) {
  return async (label: string, name: string, bytes: Buffer) => {
    const path = `${id}/${name}`;
    await writeFile(join(folder, path), bytes);
    return { label, path, sizeBytes: bytes.length };
  };
}

async function savePages(
  pages: readonly PageImage[],
  save: Save,
): Promise<GalleryEntry["pictures"]> {
  const pictures: GalleryEntry["pictures"] = [];
  for (const { page, widthPx, heightPx, bytes } of pages) {
    const { path } = await save("PNG", `page-${page}.png`, bytes);
    pictures.push({ path, widthPx, heightPx });
  }
  return pictures;
}
