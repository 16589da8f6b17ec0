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

/** Whether it is what an e-signature provider has made of the document; it is kept longer than the document's own files. */
export function isSignedOutput({ label }: { label: string }): boolean {
  return label === "signed" || label === "audit";
}

/** Whether it is of a format that was asked for: a document that is to be signed has a PDF in any case. */
export function isOutputOf(
  { label }: { label: string },
  formats: readonly Format[],
): boolean {
  return formats.some((format) => format === label.replace(/-\d+$/, ""));
}

/** What a file's name adds to its document's: the page of a picture, or that it is the signed one. */
export function outputSuffix(label: string): string {
  if (isSignedOutput({ label })) return `-${label}`;
  return /-\d+$/.exec(label)?.[0] ?? "";
}

/** What an organization may have booked, the smallest first. */
export const PLANS = ["free", "pro", "premium", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];
