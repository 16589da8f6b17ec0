/** What the images of documents may cost. */
export interface PictureLimits {
  /** Whether images of other machines are fetched at all. */
  isFetching: boolean;
  /** Of one image, and of all of a document. */
  maxBytes: number;
  maxTotalBytes: number;
  maxPixels: number;
  /** How many a document may bring from other machines. */
  maxCount: number;
  /** For each of them. */
  timeoutMs: number;
  /** How much is kept in memory for the next documents. */
  cacheBytes: number;
}
