import type { Deadline } from "../../plugin-api/index.js";
import type {
  Finished,
  Finishing,
  PdfAttachment,
  PdfFinisher,
} from "../../rendering/pdf/index.js";
import type { PdfStructure } from "../../rendering/index.js";
import type { MergedPdf } from "../../compiler/index.js";
import type { SettledRequest } from "../render-request.js";
import {
  type AttachmentWish,
  type Contents,
  pdfWishes,
  type PdfWishes,
  type Wish,
} from "./pdf-wishes.js";
import { type ContentSources, readContents } from "./read-contents.js";
import { toSign } from "./to-sign.js";

/** How one document becomes the PDF that was asked for. */
export interface PdfPlan {
  /** For its print. */
  structure: PdfStructure;
  /** What is done to the printed PDF; null where nothing is. */
  finish: ((printed: Buffer, deadline: Deadline) => Promise<Finished>) | null;
}

const NOTHING: PdfPlan = { structure: {}, finish: null };

/** Gives PDFs the qualities that a template or a request asks for. */
export class FinishingDesk {
  constructor(
    private readonly sources: ContentSources,
    private readonly finisher: PdfFinisher,
  ) {}

  /**
   * Brings all that is needed, before anything is printed.
   * @throws PlatenError `invalid_request` or `too_large` for files that cannot be had.
   */
  async plan(
    request: Pick<
      SettledRequest,
      "formats" | "organizationId" | "renderOptions"
    >,
    merged: { title: string; pdf: MergedPdf; signNonce: string | null },
  ): Promise<PdfPlan> {
    const { signNonce } = merged;
    if (signNonce === null && !request.formats.includes("pdf")) return NOTHING;
    const options = request.renderOptions?.pdf ?? {};
    const wishes = pdfWishes(merged.pdf, options, merged.title);
    const { structure, properties, password } = wishes;
    const files = await this.#files(request.organizationId, wishes);
    const finishing: Finishing = {
      ...files,
      ...(properties && { properties }),
      ...(password && { password }),
    };
    if (signNonce !== null)
      return { structure, finish: this.#finish(toSign(finishing, signNonce)) };
    const isNeeded =
      properties !== null ||
      password !== null ||
      Object.values(files).some(({ length }) => length > 0);
    return { structure, finish: isNeeded ? this.#finish(finishing) : null };
  }

  #finish(finishing: Finishing): NonNullable<PdfPlan["finish"]> {
    return (printed, deadline) =>
      this.finisher.finish(printed, finishing, deadline);
  }

  async #files(
    organizationId: string,
    { before, after, attachments }: PdfWishes,
  ): Promise<Pick<Finishing, "before" | "after" | "attachments">> {
    const all = [...before, ...after, ...attachments];
    if (all.length === 0) return { before: [], after: [], attachments: [] };
    const contents = await readContents(this.sources, organizationId, all);
    const bytesOf = (wish: Wish<Contents>) =>
      contents.get(wish) ?? new Uint8Array();
    const joined = (wish: Wish<Contents>) => ({
      path: wish.path,
      bytes: bytesOf(wish),
    });
    return {
      before: before.map(joined),
      after: after.map(joined),
      attachments: attachments.map((wish) => ({
        ...attachmentOf(wish.wish),
        bytes: bytesOf(wish),
      })),
    };
  }
}

function attachmentOf({
  name,
  mimeType,
  description,
  relationship = "Unspecified",
}: AttachmentWish): Omit<PdfAttachment, "bytes"> {
  return {
    name,
    mimeType,
    relationship,
    ...(description !== undefined && { description }),
  };
}
