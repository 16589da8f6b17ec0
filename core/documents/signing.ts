import { randomBytes } from "node:crypto";
import type { EntityManager } from "typeorm";
import { z } from "zod";
import {
  type SignField,
  escapeFieldTagsInMarkup,
  type MergedDocument,
  type MergeOptions,
  removeSignLinks,
} from "../compiler/index.js";
import type { ProgramCall, ProgramRunner } from "../compute/index.js";
import type { Connection } from "../definition/index.js";
import {
  type Deadline,
  type FieldBox,
  type Format,
  PlatenError,
} from "../plugin-api/index.js";
import type { Finished, SignMark } from "../rendering/pdf/index.js";
import type { SignatureRequest } from "../storage/database/index.js";
import type { ResolvedAssets } from "./content/pictures.js";
import type { SavedFile } from "./outputs.js";
import type { RenderJob, SigningOptions } from "./render-job.js";

// What rendering needs from the signatures capability, which implements it. A document that is sent for signature passes
// these steps in order; each may reject it, and everything that can be rejected is rejected before it is printed.

/** A signer, named by the caller or by the template and the record. */
export interface NamedSubmitter {
  role: string;
  email: string;
  name?: string | undefined;
  values?: Readonly<Record<string, unknown>> | undefined;
  order?: number | undefined;
  /** JSON path of the signer in the template. */
  path?: string | undefined;
}

/** The request's `esignSettings`. */
export interface EsignSettings {
  submitters?: readonly NamedSubmitter[] | undefined;
  /** ISO 8601, or a day. */
  expiresAt?: string | undefined;
  message?:
    { subject?: string | undefined; body?: string | undefined } | undefined;
  /** Where signers go after they have signed. */
  redirectUrl?: string | undefined;
}

const submitterSchema = z.strictObject({
  role: z
    .string()
    .min(1, "must not be empty")
    .meta({ description: "A role of the template." }),
  email: z.email("must be an e-mail address"),
  name: z.string().optional(),
  values: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "Values prefilled for this signer." }),
  order: z
    .number()
    .optional()
    .meta({ description: "Position in the signing order." }),
});

/** The `esignSettings` of a request. */
export const esignSettingsSchema = z.strictObject({
  submitters: z.array(submitterSchema).optional(),
  expiresAt: z.string().optional().meta({
    description: "The deadline for signing: an ISO 8601 timestamp or a date.",
  }),
  message: z
    .strictObject({
      subject: z.string().optional(),
      body: z.string().optional(),
    })
    .optional(),
  redirectUrl: z.string().optional().meta({
    description:
      "Where signers go after they have signed: an http or https address.",
  }),
});

/** The caller's signing options and their context. */
export interface SigningRequest {
  organizationId: string;
  createdById: string;
  /** The id of a saved connection; without it, the template's. */
  esignConnection?: string | undefined;
  esignSettings?: EsignSettings | undefined;
  /** The connection of the template's root collection; null when it has none. */
  connection: Connection | null;
}

/** The root connection's signing settings, merged with the record's data. */
export interface MergedSigning {
  submitters: readonly NamedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
  redirectUrl: string | null;
  /** In document order. */
  fields: readonly SignField[];
}

export interface Signing {
  /**
   * Before anything is merged, and at the acceptance of a batch.
   * @throws PlatenError `invalid_request` for an unknown connection, an invalid email address or a past expiry.
   */
  prepare(request: SigningRequest, now: Date): Promise<SigningPlan>;
  /**
   * Called after the commit of a single render: waits within the deadline until the provider has the request. The
   * provider's objections are part of the view.
   */
  startNow(
    organizationId: string,
    id: string,
    deadline: Deadline,
  ): Promise<SignatureView>;
  /** The current state. @throws PlatenError `not_found`. */
  view(organizationId: string, id: string): Promise<SignatureView>;
  /** Called after the commit of a transaction that a signing order has recorded in. */
  nudge(): void;
}

/** A signature request as the API returns it. */
export interface SignatureView {
  id: string;
  /** The plugin's id. */
  provider: string;
  status: string;
  submitters: {
    role: string;
    email: string;
    status: string;
    /** The signing URL, when the provider gives one. */
    url: string | null;
  }[];
  /** Why it failed, or why it cannot proceed at the moment. */
  error?: string;
  /** What the provider does not support. */
  warnings?: string[];
}

export interface SigningPlan {
  /** After the merge, before the print. @throws PlatenError `invalid_request`: a role without a submitter, and so on. */
  settle(merged: MergedSigning): SigningOrder;
}

/** The stored PDF that is to be signed. */
export interface DocumentToSign {
  documentId: string;
  title: string;
  /** Without extension. */
  fileName: string;
  pdf: SavedFile;
  pages: number;
  boxes: readonly FieldBox[];
}

export interface SigningOrder {
  /** Writes the request, in the transaction that records the document; it is sent once that has committed. @returns its id. */
  record(tx: EntityManager, document: DocumentToSign): Promise<string>;
}

export function toSignatureView(row: SignatureRequest): SignatureView {
  const { id, provider, status, submitters, error, warnings } = row;
  return {
    id,
    provider,
    status,
    submitters: submitters.map(({ role, email, status: standing, url }) => ({
      role,
      email,
      status: standing,
      url,
    })),
    ...(error !== null && { error }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What sending a document for signature adds to the stages of its render; each step may reject the document. */
interface SigningSteps {
  /** The formats to make: a signed document needs a PDF, whether it was requested or not. */
  formats: readonly Format[];
  /** Secret part of the links that mark sign fields, since a record may contain links too; null for an unsigned document. */
  nonce: string | null;
  beforeMerge(
    program: Pick<ProgramRunner, "connection">,
  ): Promise<Pick<MergeOptions, "signingNonce">>;
  afterMerge(
    program: Pick<ProgramRunner, "addressees">,
    merged: Pick<MergedDocument, "signFields">,
    record: { data: unknown; options: MergeOptions },
    call: ProgramCall,
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

  async beforeMerge({ connection }: Pick<ProgramRunner, "connection">) {
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
    program: Pick<ProgramRunner, "addressees">,
    { signFields: fields }: Pick<MergedDocument, "signFields">,
    record: { data: unknown; options: MergeOptions },
    call: ProgramCall,
  ): Promise<void> {
    this.#fields = fields;
    this.#order = await this.#noteRejection(async () => {
      const addressees = await program.addressees(record, call);
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
