/** The four formats of a document, in the order in which outputs are listed. */
export const FORMATS = ["pdf", "html", "image", "mjml"] as const;
export type Format = (typeof FORMATS)[number];

export type ImageType = "png" | "jpg";

/** One stored file of a document (specification: Output). */
export interface Output {
  label: string;
  storageKey: string;
  url: string;
  mimeType: string;
  sizeBytes: number;
  checksum: string;
}
