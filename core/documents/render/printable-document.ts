import type { OutputFile } from "../files/output-files.js";
import type { Finished } from "../../rendering/pdf/index.js";
import type { Previews } from "../previews/previews.js";
import type { RenderReport } from "./render-report.js";
import {
  fitHeaders,
  type FontFace,
  inlineAssets,
  inlineFonts,
  linkVideos,
  type MergedDocument,
  overlayHtml,
} from "../../compiler/index.js";
import type {
  PdfJob,
  PdfStructure,
  RunningHeaders,
} from "../../rendering/index.js";
import type { ResolvedAssets } from "./content/pictures.js";

/** A merged document with all its images and fonts inside, ready to be printed. */
export interface PrintableDocument extends PdfJob {
  title: string;
  language: string;
  page: MergedDocument["page"];
  headers?: RunningHeaders & Pick<MergedHeaders, "screenStyle">;
  owner: string;
}

type MergedHeaders = NonNullable<MergedDocument["headers"]>;

/** @param mergeAgain merges the same record with margins for headers and footers of these heights, in CSS px */
export function toPrintableDocument(
  merged: MergedDocument,
  { byToken, videos }: ResolvedAssets,
  fonts: readonly FontFace[],
  print: Pick<PrintableDocument, "owner" | "deadline" | keyof PdfStructure>,
  mergeAgain: (headerHeights: readonly number[]) => Promise<MergedDocument>,
): PrintableDocument {
  const { title, language, page, assets, overlay, headers } = merged;
  const inline = (text: string) => {
    const html = linkVideos(inlineFonts(text, fonts), videos);
    return inlineAssets({ html, assets }, byToken);
  };
  const inlineOverlay = (source: MergedDocument["overlay"]) =>
    source && {
      overlay: (pages: number) => inline(overlayHtml(source, pages)),
    };
  return {
    ...print,
    html: inline(merged.html),
    title,
    language,
    page,
    ...inlineOverlay(overlay),
    ...(headers && {
      headers: {
        widthPx: headers.widthPx,
        screenStyle: headers.screenStyle,
        html: () => inline(headers.html),
        fit: async (heights: readonly number[]) => {
          if (fitHeaders(headers, heights) === null) return null;
          const fitted = await mergeAgain(heights);
          return {
            html: inline(fitted.html),
            page: fitted.page,
            ...inlineOverlay(fitted.overlay),
          };
        },
      },
    }),
  };
}

/** The text of the html format: on a screen, its headers and footers take as much space as they do in print. */
export function toHtmlOutput({ html, headers }: PrintableDocument): string {
  if (headers === undefined) return html;
  return html.replace(
    "</head>",
    () => `<style>${headers.screenStyle}</style>\n</head>`,
  );
}

/** A printed document whose files are not stored yet. */
export interface PrintedDocument {
  documentId: string;
  title: string;
  /** Without extension. */
  fileName: string;
  files: readonly OutputFile[];
  /** Its PDF after editing; null when it was not edited. */
  pdf: Finished | null;
  report: RenderReport;
  /** How many pages were printed; null when nothing was, as for html alone. */
  pages: number | null;
  previews: Previews;
}
