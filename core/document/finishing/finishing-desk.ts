import type { Deadline } from "../../contract/index.js";
import type {
  Finishing,
  JoinedPdf,
  PdfAttachment,
  PdfFinisher,
} from "../../pdf/index.js";
import type { PdfStructure } from "../../render/index.js";
import type { MergedPdf } from "../../template/index.js";
import type { SettledRequest } from "../render-request.js";
import { type Contents, pdfWishes, type Wish } from "./pdf-wishes.js";
import { type ContentSources, readContents } from "./read-contents.js";

/** How one document becomes the PDF that was asked for. */
export interface PdfPlan {
  /** For its print. */
  structure: PdfStructure;
  /** What is done to the printed PDF; null where nothing is. */
  finish: ((printed: Buffer, deadline: Deadline) => Promise<Buffer>) | null;
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
    merged: { title: string; pdf: MergedPdf },
  ): Promise<PdfPlan> {
    if (!request.formats.includes("pdf")) return NOTHING;
    const options = request.renderOptions?.pdf ?? {};
    const wishes = pdfWishes(merged.pdf, options, merged.title);
    const { structure, properties, password } = wishes;
    const { organizationId } = request;
    const files = {
      before: await this.#joined(organizationId, wishes.before),
      after: await this.#joined(organizationId, wishes.after),
      attachments: await this.#attached(organizationId, wishes.attachments),
    };
    const finishing: Finishing = {
      ...files,
      ...(properties && { properties }),
      ...(password && { password }),
    };
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

  async #joined(
    organizationId: string,
    wishes: readonly Wish<Contents>[],
  ): Promise<JoinedPdf[]> {
    if (wishes.length === 0) return [];
    const contents = await readContents(this.sources, organizationId, wishes, [
      "pdf",
    ]);
    return contents.map((bytes, at) => ({
      path: wishes[at]?.path ?? "$",
      bytes,
    }));
  }

  async #attached(
    organizationId: string,
    wishes: ReturnType<typeof pdfWishes>["attachments"],
  ): Promise<PdfAttachment[]> {
    if (wishes.length === 0) return [];
    const contents = await readContents(this.sources, organizationId, wishes, [
      "pdf",
      "image",
    ]);
    return wishes.map(({ wish }, at) => {
      const { name, mimeType, description } = wish;
      return {
        name,
        mimeType,
        relationship: wish.relationship ?? "Unspecified",
        ...(description !== undefined && { description }),
        bytes: contents[at] ?? new Uint8Array(),
      };
    });
  }
}
