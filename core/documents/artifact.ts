import type { Format, ImageType } from "../plugin-api/index.js";

/** One file of a rendered document, before it is stored. */
export interface Artifact {
  format: Format;
  /** Unique in its document: the format, or `image-2` for a further page's picture. */
  label: string;
  mimeType: string;
  extension: string;
  bytes: Buffer;
  /** The page that a picture shows, from 1, when several were asked for. */
  page?: number;
}

export function pdfArtifact(bytes: Buffer): Artifact {
  const mimeType = "application/pdf";
  return { format: "pdf", label: "pdf", mimeType, extension: "pdf", bytes };
}

export function htmlArtifact(html: string): Artifact {
  const bytes = Buffer.from(html);
  const mimeType = "text/html";
  return { format: "html", label: "html", mimeType, extension: "html", bytes };
}

export function mjmlArtifact(mjml: string): Artifact {
  const bytes = Buffer.from(mjml);
  const mimeType = "text/mjml";
  return { format: "mjml", label: "mjml", mimeType, extension: "mjml", bytes };
}

/** The one picture of a document. */
export function imageArtifact(type: ImageType, bytes: Buffer): Artifact {
  const mimeType = type === "png" ? "image/png" : "image/jpeg";
  return { format: "image", label: "image", mimeType, extension: type, bytes };
}

/** Pictures of the pages that were asked for, the first of which is the document's `image`. */
export function pageArtifacts(
  type: ImageType,
  images: readonly { page: number; bytes: Buffer }[],
): Artifact[] {
  return images.map(({ page, bytes }, index) => ({
    ...imageArtifact(type, bytes),
    ...(index > 0 && { label: `image-${page}` }),
    page,
  }));
}
