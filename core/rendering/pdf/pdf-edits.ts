import type { SignMark } from "./sign-marks.js";

/** The edits to make to a printed PDF. */
export interface Finishing {
  properties?: PdfProperties;
  /** PDFs whose pages come first, in this order. */
  before: readonly JoinedPdf[];
  /** PDFs whose pages come last. */
  after: readonly JoinedPdf[];
  attachments: readonly PdfAttachment[];
  password?: PdfPassword;
  /** Prefix of the URLs of links that mark sign fields: these links are removed. */
  signLinks?: string;
}

export interface Finished {
  bytes: Buffer;
  /** Of the whole document, joined PDFs included. */
  pages: number;
  /** Where the removed links of sign fields were. */
  marks: readonly SignMark[];
}

/** As it arrives from the worker thread, where bytes are no longer a `Buffer`. */
export interface EditedBytes extends Omit<Finished, "bytes"> {
  bytes: Uint8Array;
}

/** What a reader shows as the document's properties. */
export interface PdfProperties {
  title?: string;
  author?: string;
  subject?: string;
  keywords?: readonly string[];
}

export interface JoinedPdf {
  /** JSON path of the file in the request or the definition, for errors: `$.renderOptions.pdf.after[0]`. */
  path: string;
  bytes: Uint8Array;
}

/** How an attached file relates to the document (ISO 32000-2, AFRelationship). */
export type Relationship =
  "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified";

export interface PdfAttachment {
  name: string;
  mimeType: string;
  description?: string;
  relationship: Relationship;
  bytes: Uint8Array;
}

/** What a reader allows somebody who opened the document with the user password. */
export const PERMISSIONS = [
  "print",
  "modify",
  "copy",
  "annotate",
  "fillForms",
  "assemble",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** At least one of the passwords; AES with 256 bits. */
export interface PdfPassword {
  /** Opens the document; without it, anybody can. */
  user?: string;
  /** Opens the document without restrictions; without it, they cannot be lifted. */
  owner?: string;
  /** All of them by default. */
  permissions?: readonly Permission[];
}
