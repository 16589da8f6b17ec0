import { randomBytes } from "node:crypto";
import {
  escapeFieldTagsInMarkup,
  type MergedSigners,
  removeSignLinks,
  type SignField,
} from "../../compiler/index.js";
import { type FieldBox, PlatenError } from "../../plugin-api/index.js";
import type { SignMark } from "../../rendering/pdf/index.js";
import type { ResolvedAssets } from "./content/pictures.js";
import type { StoredFile } from "../files/output-files.js";
import type { RenderJob } from "./render-request.js";
import type {
  DocumentToSign,
  RecordDocument,
  Signing,
  SigningOrder,
  SigningPlan,
  SigningRequest,
} from "./signing.js";
import type { PrintedDocument } from "./printable-document.js";

/**
 * What signing adds to the render of one document that is sent for signature, stage by stage. Each may reject it; whatever
 * can be rejected is rejected before it is printed.
 */
export class SigningStage {
  /** Secret part of the links that mark sign fields, since a record may contain links too. */
  readonly nonce = randomBytes(16).toString("hex");
  #plan: SigningPlan | null = null;
  #order: SigningOrder | null = null;
  #fields: readonly SignField[] = [];

  constructor(
    private readonly signing: Pick<Signing, "prepare">,
    private readonly job: RenderJob,
  ) {}

  /** Before the merge. @param connection that of the template's root collection */
  async prepare(connection: SigningRequest["connection"]): Promise<void> {
    const { organizationId, createdById, signing, startedAt } = this.job;
    const request = { ...signing, organizationId, createdById, connection };
    this.#plan = await this.#noteRejection(() =>
      this.signing.prepare(request, startedAt),
    );
  }

  /** After the merge. */
  async settle(
    fields: readonly SignField[],
    mergeAddressees: () => Promise<MergedSigners>,
  ): Promise<void> {
    this.#fields = fields;
    this.#order = await this.#noteRejection(async () => {
      const addressees = await mergeAddressees();
      return this.#plan?.settle({ ...addressees, fields }) ?? null;
    });
  }

  /** Removes a provider's field tags from drawings, whose text becomes text of the PDF. */
  cleanImages(assets: ResolvedAssets): ResolvedAssets {
    const byToken = Array.from(
      assets.byToken,
      ([token, url]) => [token, url && removeFieldTags(url)] as const,
    );
    return { ...assets, byToken: new Map(byToken) };
  }

  /** The html format without the marks of the fields. */
  cleanHtml(html: string): string {
    return removeSignLinks(html, this.nonce);
  }

  /** @throws PlatenError `merge_failed` for a field that has no place on a page. */
  locateFields({ pdf }: PrintedDocument): LocatedFields {
    if (!pdf)
      throw new PlatenError("internal", "No PDF was printed to be signed.");
    const { pages, marks } = pdf;
    return { pages, boxes: locateFields(this.#fields, marks) };
  }

  /** What writes the request, once the files are stored. */
  record(
    { documentId, title, fileName }: PrintedDocument,
    files: readonly StoredFile[],
    located: LocatedFields,
  ): RecordDocument {
    const order = this.#order;
    const pdf = files.find(({ format }) => format === "pdf");
    if (!pdf || !order)
      throw new PlatenError("internal", "The PDF to be signed was not stored.");
    return (tx) =>
      order.record(tx, { documentId, title, fileName, pdf, ...located });
  }

  /** A rejected document leaves no row, as one that was rejected before its render began. */
  async #noteRejection<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.job.rejection = error;
      throw error;
    }
  }
}

type LocatedFields = Pick<DocumentToSign, "pages" | "boxes">;

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
