import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Blueprint } from "../../core/templates/blueprints/index.js";

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

function galleryStyle(): string {
  const faces = FONT_FACES.map(
    ({ weight }) =>
      `@font-face{font-family:Inter;font-weight:${weight};src:url(${fontFileName(weight)})}`,
  );
  return faces.join("") + rules;
}

const rules = `
*{box-sizing:border-box;margin:0}
body{font:400 15px/1.5 Inter,system-ui,sans-serif;color:#17191d;background:#fff;padding:72px clamp(24px,5vw,88px) 96px}
header{max-width:640px;margin-bottom:64px}
h1{font-weight:600;font-size:44px;letter-spacing:-.04em;line-height:1.1}
header p{font-size:18px;color:#666b75;margin-top:8px}
h2{font-weight:600;font-size:15px;border-top:1px solid #17191d;padding-top:12px;margin-bottom:28px}
h2 span{font-weight:400;color:#8a8f99;margin-left:8px}
section{margin-bottom:72px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:56px 32px}
.stage{display:flex;align-items:center;justify-content:center;background:#f1f2f4;height:440px;padding:32px;overflow:hidden}
.stage img{max-width:100%;max-height:100%;width:auto;height:auto;background:#fff;box-shadow:0 0 0 1px rgba(0,0,0,.06),0 8px 24px rgba(20,24,33,.1);transition:transform .2s}
.stage.email{align-items:flex-start;padding:32px 32px 0}
.stage.email img{max-height:none;width:100%}
.stage:hover img{transform:translateY(-3px)}
h3{font-weight:600;font-size:16px;letter-spacing:-.01em;margin-top:16px}
article p{color:#666b75;font-size:14px;margin-top:2px}
article .links{display:flex;flex-wrap:wrap;gap:4px 14px;margin-top:10px;font-size:13px}
.links a{color:#17191d;font-weight:600;text-decoration:none}
.links a:hover{text-decoration:underline;text-underline-offset:3px}
.links span{font-weight:400;color:#8a8f99;margin-left:5px;font-variant-numeric:tabular-nums}
.strip{display:flex;gap:8px;margin-top:14px;overflow-x:auto;padding:1px}
.strip img{height:64px;width:auto;display:block;box-shadow:0 0 0 1px rgba(0,0,0,.1)}
`;

/** The faces of the index page, beside it, so that the page needs nothing from elsewhere. */
const FONT_FACES = [
  { weight: 400, file: "400Regular.ttf" },
  { weight: 600, file: "600SemiBold.ttf" },
] as const;

function fontFileName(weight: number): string {
  return `inter-${weight}.ttf`;
}

export async function copyFonts(folder: string): Promise<void> {
  const fonts = join(import.meta.dirname, "../../fonts/inter");
  for (const { weight, file } of FONT_FACES)
    await copyFile(join(fonts, file), join(folder, fontFileName(weight)));
}
