import type { PdfPassword, PdfProperties } from "../../rendering/pdf/index.js";
import type { PdfStructure } from "../../rendering/index.js";
import type { AssetType } from "../../storage/database/index.js";
import type { MergedPdf } from "../../compiler/index.js";
import type { PdfOptions } from "../../definition/index.js";

/** A file by the id of an asset, or as it was sent. */
export type Contents = { asset: string } | { base64: string };

export type AttachmentWish = NonNullable<PdfOptions["attachments"]>[number];

/** A file that is asked for, and where. */
export interface Wish<T> {
  /** `$.renderOptions.pdf.after[0]` */
  path: string;
  wish: T;
  /** Of assets that may be meant. */
  kinds: readonly AssetType[];
}

/** All that a template and a request together ask of a PDF. */
export interface PdfWishes {
  structure: PdfStructure;
  /** Null where what is printed says it already. */
  properties: PdfProperties | null;
  before: Wish<Contents>[];
  after: Wish<Contents>[];
  attachments: Wish<AttachmentWish>[];
  password: PdfPassword | null;
}

/**
 * What the request says goes before what the template says, list by list.
 * @param printedTitle the title that the printed PDF has by itself
 */
export function pdfWishes(
  template: MergedPdf,
  request: PdfOptions,
  printedTitle: string,
): PdfWishes {
  const { password, attachments } = request;
  return {
    structure: {
      tagged: request.tagged ?? template.tagged ?? false,
      outline: request.outline ?? template.outline ?? false,
    },
    properties: properties(template, request, printedTitle),
    before: joined("before", template, request),
    after: joined("after", template, request),
    attachments: wishes("$.renderOptions.pdf.attachments", attachments, [
      "pdf",
      "image",
    ]),
    password: password ? passwordOf(password) : null,
  };
}

function properties(
  template: MergedPdf,
  request: PdfOptions,
  printedTitle: string,
): PdfProperties | null {
  const title = request.title ?? template.title;
  const author = request.author ?? template.author;
  const subject = request.subject ?? template.subject;
  const keywords = request.keywords ?? template.keywords;
  const all = {
    ...(title !== undefined && title !== printedTitle && { title }),
    ...(author !== undefined && { author }),
    ...(subject !== undefined && { subject }),
    ...(keywords !== undefined && { keywords }),
  };
  return Object.keys(all).length === 0 ? null : all;
}

function joined(
  place: "before" | "after",
  template: MergedPdf,
  request: PdfOptions,
): Wish<Contents>[] {
  return request[place]
    ? wishes(`$.renderOptions.pdf.${place}`, request[place], ["pdf"])
    : wishes(`$.pdf.${place}`, template[place], ["pdf"]);
}

function wishes<T>(
  path: string,
  list: readonly T[] = [],
  kinds: readonly AssetType[],
): Wish<T>[] {
  return list.map((wish, at) => ({ path: `${path}[${at}]`, wish, kinds }));
}

function passwordOf({
  user,
  owner,
  permissions,
}: NonNullable<PdfOptions["password"]>): PdfPassword {
  return {
    ...(user !== undefined && { user }),
    ...(owner !== undefined && { owner }),
    ...(permissions && { permissions }),
  };
}
