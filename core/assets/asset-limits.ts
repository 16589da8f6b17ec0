/** What may be stored as an asset, and how long fetching it may take. */
export interface AssetLimits {
  imageBytes: number;
  /** Width times height. */
  imagePixels: number;
  videoBytes: number;
  fontBytes: number;
  pdfBytes: number;
  /** Whether files are fetched from other machines at all. */
  isFetching: boolean;
  fetchTimeoutMs: number;
}

/** The most bytes that any file of these may have. */
export function mostBytes(
  { imageBytes, videoBytes, fontBytes, pdfBytes }: AssetLimits,
  assetType: "image" | "video" | null,
): number {
  const still = Math.max(imageBytes, fontBytes, pdfBytes);
  if (assetType === "image") return still;
  return assetType === "video" ? videoBytes : Math.max(still, videoBytes);
}
