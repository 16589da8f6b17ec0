/** The formats of a document, in the order in which outputs are listed. `xml` is an electronic invoice. */
export const FORMATS = ["pdf", "html", "image", "mjml", "xml"] as const;
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

/** Whether the output comes from an e-signature provider. Such outputs are kept longer than others. */
export function isSignedOutput({ label }: { label: string }): boolean {
  return label === "signed" || label === "audit";
}

/** Whether the output has a requested format. A document to sign has a PDF in any case. */
export function hasRequestedFormat(
  { label }: { label: string },
  formats: readonly Format[],
): boolean {
  return formats.some((format) => format === label.replace(/-\d+$/, ""));
}

/** What the output's file name adds to that of the document: the page of an image, or `-signed`. */
export function getOutputSuffix(label: string): string {
  if (isSignedOutput({ label })) return `-${label}`;
  return /-\d+$/.exec(label)?.[0] ?? "";
}

/** The plans of organizations, smallest first. */
export const PLANS = ["free", "pro", "premium", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];
