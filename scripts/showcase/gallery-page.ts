import type { Blueprint } from "../../core/templates/blueprints/index.js";
import { galleryStyle } from "./gallery-style.js";

/** One example as it was rendered; paths are relative to the gallery's folder. */
export interface GalleryEntry {
  blueprint: Blueprint;
  /** The pictures, one for each page. */
  pictures: { path: string; widthPx: number; heightPx: number }[];
  files: { label: string; path: string; sizeBytes: number }[];
}

/** The index page of all examples. */
export function galleryPage(entries: readonly GalleryEntry[]): string {
  const parts = [
    { title: "Documents", type: "document" },
    { title: "Emails", type: "email" },
  ];
  const sections = parts.flatMap(({ title, type }) => {
    const own = entries.filter(
      (entry) => entry.blueprint.templateType === type,
    );
    if (own.length === 0) return [];
    return `<section><h2>${title}<span>${own.length}</span></h2><div class="grid">${own.map(card).join("")}</div></section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platen, example templates</title><style>${galleryStyle()}</style></head>
<body><header><h1>Platen</h1><p>Every example template with its sample record, in every format.</p></header>
<main>${sections.join("\n")}</main></body></html>
`;
}

function card({ blueprint, pictures, files }: GalleryEntry): string {
  const { id, name, description, templateType } = blueprint;
  const [first, ...rest] = pictures;
  const best = templateType === "email" ? "HTML" : "PDF";
  const main = files.find(({ label }) => label === best);
  if (!first || !main) return "";
  const shape = first.widthPx > first.heightPx ? "wide" : templateType;
  return `<article id="${id}"><a class="stage ${shape}" href="${main.path}"><img src="${first.path}" width="${first.widthPx}" height="${first.heightPx}" alt="${escape(name)}, first page" loading="lazy"></a>
<h3>${escape(name)}</h3><p>${escape(description)}</p>
<p class="links">${files.map(link).join("")}</p>${rest.length === 0 ? "" : strip(pictures)}</article>`;
}

function link({
  label,
  path,
  sizeBytes,
}: GalleryEntry["files"][number]): string {
  return `<a href="${path}">${label}<span>${kilobytes(sizeBytes)}</span></a>`;
}

/** All pages, small; each opens its picture. */
function strip(pictures: GalleryEntry["pictures"]): string {
  const pages = pictures.map(
    ({ path }, index) =>
      `<a href="${path}"><img src="${path}" alt="Page ${index + 1}" loading="lazy"></a>`,
  );
  return `<div class="strip">${pages.join("")}</div>`;
}

function kilobytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1000))} kB`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
