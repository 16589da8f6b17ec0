import {
  type FontFace,
  inlineAssets,
  inlineFonts,
  linkVideos,
  type MergedDocument,
} from "../compiler/index.js";
import type { ResolvedAssets } from "./content/pictures.js";

/** A merged document with all its images and fonts inside: what is printed, and what the html format returns. */
export interface PrintableDocument {
  html: string;
  title: string;
  language: string;
  page: MergedDocument["page"];
  /** Page-sized html laid over the pages, for headers and footers that do not fit into margin boxes. */
  overlay?: (pages: number) => string;
}

export function toPrintableDocument(
  merged: MergedDocument,
  { byToken, videos }: ResolvedAssets,
  fonts: readonly FontFace[],
): PrintableDocument {
  const { title, language, page, assets, overlay } = merged;
  const inline = (text: string) => {
    const html = linkVideos(inlineFonts(text, fonts), videos);
    return inlineAssets({ html, assets }, byToken);
  };
  return {
    html: inline(merged.html),
    title,
    language,
    page,
    ...(overlay && { overlay: (pages: number) => inline(overlay.html(pages)) }),
  };
}
