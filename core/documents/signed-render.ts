import { randomBytes } from "node:crypto";
import type { EntityManager } from "typeorm";
import {
  escapeFieldTagsInMarkup,
  type MergedDocument,
  removeSignLinks,
  type SignField,
} from "../compiler/index.js";
import type { ProgramRunner } from "../compute/index.js";
import { type FieldBox, PlatenError } from "../plugin-api/index.js";
import type { SignMark } from "../rendering/pdf/index.js";
import type { ResolvedAssets } from "./content/pictures.js";
import {
  DocumentRender,
  type PrintedDocument,
  type StoredDocument,
} from "./document-render.js";
import type { PrintableDocument } from "./outputs.js";
import type { Signing, SigningOrder } from "./signing.js";

/**
 * Renders a document that is sent for signature. Each stage may reject it; whatever can be rejected is rejected before
 * it is printed.
 */
export class SignedRender extends DocumentRender {
  /** Secret part of the links that mark sign fields, since a record may contain links too. */
  readonly #nonce = randomBytes(16).toString("hex");
  #order: SigningOrder | null = null;
  #fields: readonly SignField[] = [];

  constructor(
    private readonly signing: Signing,
    ...render: ConstructorParameters<typeof DocumentRender>
  ) {
    super(...render);
    // A signed document needs a PDF, whether it was requested or not.
    this.formats = [...new Set([...this.formats, "pdf" as const])];
    this.options = { ...this.options, signingNonce: this.#nonce };
  }

  protected override async merge(
    program: ProgramRunner,
  ): Promise<MergedDocument> {
    const { job, call } = this;
    const { organizationId, createdById, data, startedAt } = job;
    const request = {
      ...job.signing,
      organizationId,
      createdById,
      connection: program.connection,
    };
    const plan = await this.#noteRejection(() =>
      this.signing.prepare(request, startedAt),
    );
    const merged = await super.merge(program);
    this.#fields = merged.signFields;
    this.#order = await this.#noteRejection(async () => {
      const { options } = this;
      const addressees = await program.addressees({ data, options }, call);
      return plan.settle({ ...addressees, fields: merged.signFields });
    });
    return merged;
  }

  /** Removes a provider's field tags from drawings, whose text becomes text of the PDF. */
  protected override async fetchImages(
    references: MergedDocument["assets"],
  ): Promise<ResolvedAssets> {
    const assets = await super.fetchImages(references);
    const byToken = Array.from(
      assets.byToken,
      ([token, url]) => [token, url && removeFieldTags(url)] as const,
    );
    return { ...assets, byToken: new Map(byToken) };
  }

  protected override createHtmlOutput(document: PrintableDocument): string {
    return removeSignLinks(super.createHtmlOutput(document), this.#nonce);
  }

  /** @throws PlatenError `merge_failed` for a field that has no place on a page. */
  protected override async store(
    document: PrintedDocument,
  ): Promise<StoredDocument> {
    const { documentId, title, fileName, pdf: printed } = document;
    const order = this.#order;
    if (!printed || !order)
      throw new PlatenError("internal", "No PDF was printed to be signed.");
    const { pages, marks } = printed;
    const boxes = locateFields(this.#fields, marks);
    const stored = await super.store(document);
    const pdf = stored.files.find(({ format }) => format === "pdf");
    if (!pdf)
      throw new PlatenError("internal", "The PDF to be signed was not stored.");
    return {
      ...stored,
      sign: (tx: EntityManager) =>
        order.record(tx, { documentId, title, fileName, pdf, pages, boxes }),
    };
  }

  /** A rejected document leaves no row, as one that was rejected before its render began. */
  async #noteRejection<T>(step: () => T | Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.job.rejection = error;
      throw error;
    }
  }
}

const SVG_DATA_URL = "data:image/svg+xml;base64,";

function removeFieldTags(dataUrl: string): string {
  if (!dataUrl.startsWith(SVG_DATA_URL)) return dataUrl;
  const base64 = dataUrl.slice(SVG_DATA_URL.length);
  const svg = Buffer.from(base64, "base64").toString();
  const safe = escapeFieldTagsInMarkup(svg);
  if (safe === svg) return dataUrl;
  return SVG_DATA_URL + Buffer.from(safe).toString("base64");
}

/** In parts of the page's height; the parts of a field that was split differ by more. */
const HEIGHT_TOLERANCE = 0.002;
const MIN_SIZE = 0.001;

/**
 * The fields of a printed document with their places; one on several pages, as in a repeated table header, has a box on
 * each.
 * @throws PlatenError `merge_failed` for a field that cannot be signed: it is invisible, or does not fit on one page.
 */
function locateFields(
  fields: readonly SignField[],
  marks: readonly SignMark[],
): FieldBox[] {
  return fields.flatMap((field) => {
    const places = marks.filter(({ id }) => id === field.id);
    assertSignable(field, places);
    return places.map(({ page, x, y, w, h }, index) => ({
      ...field,
      id: index === 0 ? field.id : `${field.id}-${index + 1}`,
      page,
      x,
      y,
      w,
      h,
    }));
  });
}

function assertSignable(
  { name, role }: SignField,
  places: readonly SignMark[],
): void {
  const [first] = places;
  const fail = (why: string) =>
    new PlatenError(
      "merge_failed",
      `The sign-field "${name}" of "${role}" ${why}.`,
    );
  if (!first || places.some(({ w, h }) => w < MIN_SIZE || h < MIN_SIZE))
    throw fail(
      "is on no page: it is hidden or has no size. Give it a width and a height, or a condition that leaves it out",
    );
  if (places.some(({ h }) => Math.abs(h - first.h) > HEIGHT_TOLERANCE))
    throw fail("is taller than a page. Give it a smaller height");
}
