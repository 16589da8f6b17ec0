import type { Format, ImageType } from "../plugin-api/index.js";
import type { RenderOptions } from "../definition/index.js";
import type { PreviewChoice } from "./previews/index.js";
import type { EsignSettings } from "./signing.js";

/** One record to be merged and printed, as a caller asks for it. */
export interface RenderRequest {
  organizationId: string;
  /** Who is named as the document's author. */
  createdById: string;
  templateId: string;
  /** A snapshot's number; without it, the live definition. */
  templateVersion?: number | undefined;
  /** At least one, each once. */
  formats: readonly Format[];
  /** The root record, an object; empty when not given. */
  data?: unknown;
  /** See `parseExpiry`. */
  expiresAt?: string | undefined;
  /** `png` when not given. */
  imageType?: ImageType | undefined;
  /** Watermarked, and not counted. */
  isTest?: boolean | undefined;
  /** Makes everything that the report would list an error. */
  strict?: boolean | undefined;
  renderOptions?: RenderOptions | undefined;
  /** `none` when not given. */
  preview?: PreviewChoice | undefined;
  sendForSignature?: boolean | undefined;
  /** The id of a saved e-signature connection; without it, the template's. */
  esignConnection?: string | undefined;
  esignSettings?: EsignSettings | undefined;
}

/** The same with every default filled in. */
export interface SettledRequest {
  organizationId: string;
  createdById: string;
  templateId: string;
  templateVersion: number | undefined;
  formats: readonly Format[];
  data: object;
  expiresAt: Date;
  imageType: ImageType;
  isTest: boolean;
  strict: boolean;
  renderOptions: RenderOptions | undefined;
  preview: PreviewChoice;
  /** Null for a document that goes to nobody. */
  signing: SigningWishes | null;
}

/** What is asked for of a document that goes to signing. */
export interface SigningWishes {
  esignConnection?: string | undefined;
  esignSettings?: EsignSettings | undefined;
}
