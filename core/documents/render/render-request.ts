import type { EntityManager } from "typeorm";
import { z } from "zod";
import { PhaseTimer } from "./phases.js";
import type { RenderOptions, UnknownFields } from "../../definition/index.js";
import { clock } from "../../lib/clock.js";
import {
  type Format,
  type ImageType,
  PlatenError,
} from "../../plugin-api/index.js";
import { type Document, newId } from "../../storage/database/index.js";
import type { InlineDefinition } from "../../templates/index.js";
import {
  type TemplateToRender,
  getTemplateToRender,
} from "./compiled-templates.js";
import type { PreviewChoice } from "../previews/previews.js";
import type { EsignSettings } from "./signing.js";

/** One record to be merged and printed, as the caller sends it. */
export interface RenderRequest {
  organizationId: string;
  /** The user who is recorded as the document's author. */
  createdById: string;
  templateId: string;
  /** A snapshot's number; by default, the live definition. */
  templateVersion?: number | undefined;
  /** Whether the template is that of a definition in the request. */
  isInline?: boolean | undefined;
  /** At least one, each once. */
  formats: readonly Format[];
  /** The root record, an object; empty by default. */
  data?: unknown;
  /** See `parseExpiry`. */
  expiresAt?: string | undefined;
  /** BCP 47; by default that of the record or the template. */
  locale?: string | undefined;
  /** `png` by default. */
  imageType?: ImageType | undefined;
  /** Watermarked, and not counted. */
  isTest?: boolean | undefined;
  /** Makes everything that the report would list an error. */
  strict?: boolean | undefined;
  /** What happens to fields that the schema does not declare; `allow` by default. */
  unknownFields?: UnknownFields | undefined;
  renderOptions?: RenderOptions | undefined;
  /** `none` by default. */
  preview?: PreviewChoice | undefined;
  sendForSignature?: boolean | undefined;
  /** The id of a saved e-signature connection; by default, the template's. */
  esignConnection?: string | undefined;
  esignSettings?: EsignSettings | undefined;
}

/** The same with a definition instead of a template. */
export type InlineRenderRequest = Omit<
  RenderRequest,
  "templateId" | "templateVersion" | "isInline"
> &
  InlineDefinition;

/** One render, from its acceptance to its row: the valid request with every default filled in, and its template. */
export interface RenderJob {
  documentId: string;
  startedAt: Date;
  organizationId: string;
  createdById: string;
  /** Of the claim of a queued document. */
  lockToken: string | null;
  formats: readonly Format[];
  data: object;
  /** Null: that of the record or the template. */
  locale: string | null;
  expiresAt: Date;
  imageType: ImageType;
  isTest: boolean;
  strict: boolean;
  unknownFields: UnknownFields;
  /** See `RenderRequest.isInline`. */
  isInline: boolean;
  /** Whether it becomes a part of another file, and is neither recorded nor counted. */
  isPart: boolean;
  /** Whether the data comes from a platform, which may deliver numbers as text. */
  isFromPlatform: boolean;
  renderOptions: RenderOptions | undefined;
  preview: PreviewChoice;
  /** Null for a document that is not sent for signature. */
  signing: SigningOptions | null;
  template: TemplateToRender;
  timer: PhaseTimer;
  /** Why signing rejected the request after the render had begun; such a render leaves no row. */
  rejection: unknown;
}

export interface SigningOptions {
  esignConnection?: string | undefined;
  esignSettings?: EsignSettings | undefined;
}

/** A queued document: its row, and what the row does not contain. */
export interface QueuedDocument {
  /** As it was claimed. */
  row: Document;
  /** The root record. */
  data: object;
  /** The platform that the data comes from; null for data of a request. */
  platform: string | null;
  strict: boolean;
  unknownFields: UnknownFields;
  renderOptions: RenderOptions | undefined;
  template: TemplateToRender;
  /** Null for a document that is not sent for signature. */
  signing: SigningOptions | null;
}

/** @throws PlatenError `invalid_request` or `not_found`; such a request leaves no row. */
export async function createRenderJob(
  read: EntityManager,
  request: RenderRequest,
  onPhase?: (phase: string) => void,
): Promise<RenderJob> {
  const startedAt = clock.date();
  const timer = new PhaseTimer(onPhase);
  const options = validateRequest(request, startedAt);
  const template = await timer.time("load", () =>
    getTemplateToRender(read, request),
  );
  const documentId = newId("doc");
  return {
    documentId,
    startedAt,
    lockToken: null,
    ...options,
    template,
    timer,
    rejection: null,
  };
}

/** The job of a queued document, which was validated when it was accepted. */
export function resumeRenderJob({
  row,
  platform,
  ...options
}: QueuedDocument): RenderJob {
  const { organizationId, createdById } = row;
  const { formats, imageType, isTest, expiresAt, locale } = row;
  return {
    documentId: row.id,
    startedAt: clock.date(),
    organizationId,
    createdById,
    lockToken: row.lockToken,
    formats,
    imageType,
    isTest,
    locale,
    expiresAt,
    isInline: false,
    isPart: false,
    isFromPlatform: platform !== null,
    preview: "none",
    ...options,
    timer: new PhaseTimer(),
    rejection: null,
  };
}

/** @throws PlatenError `invalid_request` */
function validateRequest(request: RenderRequest, now: Date) {
  const { formats, data = {} } = request;
  if (formats.length === 0 || new Set(formats).size < formats.length)
    throw createRequestError(
      "formats",
      "must name at least one format, and each only once.",
    );
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw createRequestError(
      "data",
      "must be an object: one record makes one document.",
    );
  return {
    organizationId: request.organizationId,
    createdById: request.createdById,
    formats,
    data,
    locale: request.locale ?? null,
    expiresAt: parseExpiry(request.expiresAt, now),
    imageType: request.imageType ?? "png",
    isTest: request.isTest ?? false,
    strict: request.strict ?? false,
    unknownFields: request.unknownFields ?? "allow",
    isInline: request.isInline ?? false,
    isPart: false,
    isFromPlatform: false,
    renderOptions: request.renderOptions,
    preview: request.preview ?? "none",
    signing: validateSigning(request),
  };
}

/** Signers must be able to open the document, and the provider must be able to write into it. */
function validateSigning({
  sendForSignature,
  isTest,
  renderOptions,
  esignConnection,
  esignSettings,
}: RenderRequest): SigningOptions | null {
  if (!sendForSignature) return null;
  if (isTest)
    throw createRequestError(
      "sendForSignature",
      "A test document cannot be sent for signature. Leave out isTest.",
    );
  if (renderOptions?.pdf?.password)
    throw createRequestError(
      "renderOptions.pdf.password",
      "A document with a password cannot be signed. Leave out the password, or sendForSignature.",
    );
  if (renderOptions?.pdf?.sign)
    throw createRequestError(
      "renderOptions.pdf.sign",
      "A document that people are to sign is not signed with the organization's certificate, since their signatures would make that one invalid. Leave out sign, or sendForSignature.",
    );
  return { esignConnection, esignSettings };
}

function createRequestError(field: string, message: string): PlatenError {
  return new PlatenError("invalid_request", "Invalid render request.", {
    problems: [{ path: `$.${field}`, code: field, message }],
  });
}

/** How long the files and links of a document are kept when the request does not say. */
export const DOCUMENT_LIFETIME_MS = 24 * 60 * 60_000;
const dateSchema = z.iso.date();
const withOffset = z.iso.datetime({ offset: true });
const withoutOffset = z.iso.datetime({ local: true });

/**
 * When a document's files and links expire: 24 hours from `now` by default. A date means the end of that day in UTC; a
 * timestamp without offset is in UTC.
 * @throws PlatenError `invalid_request` for any other text, and for a time in the past.
 */
export function parseExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + DOCUMENT_LIFETIME_MS);
  const expiresAt = parseInstant(text, "end");
  if (expiresAt !== null && expiresAt > now) return expiresAt;
  throw new PlatenError("invalid_request", "Invalid expiresAt.", {
    problems: [
      {
        path: "$.expiresAt",
        code: "expiry",
        message: expiresAt
          ? `is in the past (${expiresAt.toISOString()}).`
          : `is not an ISO 8601 date or timestamp: ${JSON.stringify(text.slice(0, 60))}.`,
        hint: 'Use a future day such as "2030-01-31", or a timestamp such as "2030-01-31T12:00:00Z".',
      },
    ],
  });
}

/**
 * An ISO 8601 timestamp, in UTC when it has no offset, or a date, which means the start or end of that day in UTC; null for
 * any other text.
 */
export function parseInstant(
  text: string,
  edgeOfDay: "start" | "end",
): Date | null {
  if (dateSchema.safeParse(text).success)
    return new Date(
      `${text}T${edgeOfDay === "start" ? "00:00:00.000" : "23:59:59.999"}Z`,
    );
  if (withOffset.safeParse(text).success) return new Date(text);
  if (withoutOffset.safeParse(text).success) return new Date(`${text}Z`);
  return null;
}
