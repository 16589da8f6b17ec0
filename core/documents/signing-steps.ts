import { randomBytes } from "node:crypto";
import type { EntityManager } from "typeorm";
import {
  escapeFieldTagsInMarkup,
  type MergedDocument,
  type MergeOptions,
  type Program,
  type SignField,
  removeSignLinks,
} from "../compiler/index.js";
import {
  type FieldBox,
  type Format,
  PlatenError,
} from "../plugin-api/index.js";
import type { Finished, SignMark } from "../rendering/pdf/index.js";
import type { ResolvedAssets } from "./content/pictures.js";
import type { SavedFile } from "./outputs.js";
import type { RenderJob, SigningOptions } from "./render-job.js";
import type { DocumentToSign, Signing, SigningOrder } from "./signing.js";

/** What sending a document for signature adds to the stages of its render; each step may reject the document. */
export interface SigningSteps {
  /** The formats to make: a signed document needs a PDF, whether it was requested or not. */
  formats: readonly Format[];
  /** Secret part of the links that mark sign fields, since a record may contain links too; null for an unsigned document. */
  nonce: string | null;
  beforeMerge(program: Program): Promise<Pick<MergeOptions, "signingNonce">>;
  afterMerge(
    program: Program,
    merged: Pick<MergedDocument, "signFields">,
    options: MergeOptions,
  ): Promise<void>;
  cleanAssets(assets: ResolvedAssets): ResolvedAssets;
  cleanHtml(html: string): string;
  /** @throws PlatenError `merge_failed` for a field that has no place on a page. */
  afterPrint(
    names: Pick<DocumentToSign, "title" | "fileName">,
    pdf: Finished | null,
  ): void;
  /** Returns what writes the signature request in the transaction that records the document. */
  afterStore(
    saved: readonly SavedFile[],
  ): ((tx: EntityManager) => Promise<string>) | null;
}

export function createSigningSteps(
  signing: Signing,
  job: RenderJob,
): SigningSteps {
  const { signing: options, formats } = job.request;
  return options === null
    ? { ...UNSIGNED, formats }
    : new SignedDocument(signing, job, options);
}

const UNSIGNED: Omit<SigningSteps, "formats"> = {
  nonce: null,
  beforeMerge: async () => ({}),
  afterMerge: async () => {},
  cleanAssets: (assets) => assets,
  cleanHtml: (html) => html,
  afterPrint: () => {},
  afterStore: () => null,
};

class SignedDocument implements SigningSteps {
  readonly formats: readonly Format[];
  readonly nonce = randomBytes(16).toString("hex");
  #plan: Awaited<ReturnType<Signing["prepare"]>> | null = null;
  #order: SigningOrder | null = null;
  #fields: readonly SignField[] = [];
  #document: Omit<DocumentToSign, "documentId" | "pdf"> | null = null;

  constructor(
    private readonly signing: Signing,
    private readonly job: RenderJob,
    private readonly options: SigningOptions,
  ) {
    this.formats = [...new Set([...job.request.formats, "pdf" as const])];
  }

  async beforeMerge({ connection }: Program) {
    const { organizationId, createdById } = this.job.request;
    const request = {
      ...this.options,
      organizationId,
      createdById,
      connection,
    };
    this.#plan = await this.#noteRejection(() =>
      this.signing.prepare(request, this.job.startedAt),
    );
    return { signingNonce: this.nonce };
  }

  async afterMerge(
    program: Program,
    { signFields: fields }: Pick<MergedDocument, "signFields">,
    options: MergeOptions,
  ): Promise<void> {
    this.#fields = fields;
    this.#order = await this.#noteRejection(() => {
      const addressees = program.addressees(this.job.request.data, options);
      return this.#plan?.settle({ ...addressees, fields }) ?? null;
    });
  }

  /** Removes a provider's field tags from drawings, whose text becomes text of the PDF. */
  cleanAssets(assets: ResolvedAssets): ResolvedAssets {
    const byToken = Array.from(
      assets.byToken,
      ([token, url]) => [token, url && removeFieldTags(url)] as const,
    );
    return { ...assets, byToken: new Map(byToken) };
  }

  cleanHtml(html: string): string {
    return removeSignLinks(html, this.nonce);
  }

  afterPrint(
    names: Pick<DocumentToSign, "title" | "fileName">,
    pdf: Finished | null,
  ): void {
    if (pdf === null) throw new PlatenError("internal", "No PDF was printed.");
    const { pages, marks } = pdf;
    const boxes = locateFields(this.#fields, marks);
    this.#document = { ...names, pages, boxes };
  }

  afterStore(saved: readonly SavedFile[]) {
    const pdf = saved.find(({ artifact }) => artifact.format === "pdf");
    const [order, document] = [this.#order, this.#document];
    if (!pdf || !order || !document)
      throw new PlatenError("internal", "The PDF to be signed was not stored.");
    const { documentId } = this.job;
    return (tx: EntityManager) =>
      order.record(tx, { documentId, ...document, pdf });
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
