import type { SignMark } from "./sign-marks.js";

/** What is done to a printed PDF. */
export interface Finishing {
  properties?: PdfProperties;
  /** Whole PDFs whose pages come first, in this order. */
  before: readonly JoinedPdf[];
  /** And whose pages come last. */
  after: readonly JoinedPdf[];
  attachments: readonly PdfAttachment[];
  password?: PdfPassword;
  /** What the addresses of links begin with that mark fields to be signed: they are taken out. */
  signLinks?: string;
}

/** A finished PDF. */
export interface Finished {
  bytes: Buffer;
  /** Of the whole document, with what was joined to it. */
  pages: number;
  /** Of the links that were taken out. */
  marks: readonly SignMark[];
}

/** What a reader shows as the document's properties. */
export interface PdfProperties {
  title?: string;
  author?: string;
  subject?: string;
  keywords?: readonly string[];
}

export interface JoinedPdf {
  /** Where the request or the definition names it, for errors: `$.renderOptions.pdf.after[0]`. */
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

/** What a reader lets whoever opened the document with the user's password do. */
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
  /** Opens the document; without it anybody can. */
  user?: string;
  /** Opens it without restrictions; without it nobody can. */
  owner?: string;
  /** All of them when it is left out. */
  permissions?: readonly Permission[];
}
