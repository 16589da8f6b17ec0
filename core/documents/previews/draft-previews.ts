import { Deadline } from "../../plugin-api/index.js";
import type { Renderer } from "../../rendering/index.js";
import type { NewTemplate } from "../../templates/check-template.js";
import { mergeSample, type SampleParts } from "../merge-sample.js";
import type { PrintableDocument } from "../printable-document.js";
import { hashOf } from "../../templates/publish-template.js";
import type { Preview } from "./preview.js";
import { previewEmail } from "./preview-email.js";
import { previewPages } from "./preview-pages.js";

export interface DraftPreviewParts extends SampleParts {
  renderer: Renderer;
  timeoutMs: number;
}

type Draft = Pick<NewTemplate, "templateType" | "definition">;

/** Shows what nobody has saved: a checked definition with its own sample record. */
export class DraftPreviews {
  constructor(private readonly parts: DraftPreviewParts) {}

  /**
   * The first page, or the top of an email. Nothing is stored or counted.
   * @param cancelled ends it early. @throws PlatenError `merge_failed`, or as `Renderer.pdf`.
   */
  async draw(
    organizationId: string,
    { templateType, definition }: Draft,
    cancelled?: AbortSignal,
  ): Promise<Preview[]> {
    const deadline = Deadline.after(this.parts.timeoutMs, cancelled);
    const definitionHash = hashOf(definition);
    const document = await mergeSample(
      this.parts,
      { organizationId, templateType, definition, definitionHash },
      deadline,
    );
    return templateType === "email"
      ? this.#email(organizationId, document, deadline)
      : this.#pages(organizationId, document, deadline);
  }

  #email(
    owner: string,
    { html, page }: PrintableDocument,
    deadline: Deadline,
  ): Promise<Preview[]> {
    const widthPx = page.windowPx ?? page.widthPx;
    const email = { html, owner, widthPx };
    return previewEmail(this.parts.renderer, email, "first", deadline);
  }

  async #pages(
    owner: string,
    document: PrintableDocument,
    deadline: Deadline,
  ): Promise<Preview[]> {
    const { renderer } = this.parts;
    const printed = await renderer.pdf({ ...document, owner, deadline });
    const { bytes: pdf, pages } = printed;
    const all = { pdf, pages, sheet: document.page };
    return previewPages(renderer, all, "first", deadline);
  }
}
