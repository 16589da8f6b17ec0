import type { Format, ImageType } from "../plugin-api/index.js";
import type { RenderRequest } from "../documents/index.js";

/** What is said of a batch as a whole. */
export interface BatchOrder {
  organizationId: string;
  /** Who is named as the documents' author. */
  createdById: string;
  templateId: string;
  /** A snapshot's number; without it, the newest. */
  templateVersion?: number | undefined;
  /** At least one, each once. */
  formats: readonly Format[];
  imageType?: ImageType | undefined;
  renderOptions?: RenderRequest["renderOptions"];
  /** See `parseExpiry`; of items that bring none. */
  expiresAt?: string | undefined;
  /** Whether its documents go to signing; who signs them, their template and their records say. */
  sendForSignature?: boolean | undefined;
  /** The id of a saved e-signature connection; without it, the template's. */
  esignConnection?: string | undefined;
  /** Where the records are; without it, the items bring their data. */
  platform?: string | undefined;
  /** The batch whose failed documents these are. */
  retryOf?: string | undefined;
}
