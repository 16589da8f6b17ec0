/** To the thread that joins PDFs. */
export interface JoinRequest {
  /** In the order in which they follow each other; pages from number `start`, the first is 0, to before `end`. */
  pieces: { bytes: Uint8Array; start: number; end: number }[];
  /** As many pages as the pieces have together, to be laid under them. */
  under?: Uint8Array;
  /** The same, to be laid over them. */
  over?: Uint8Array;
  /** Named destinations that begin like this are left out. */
  dropNames?: string;
}

/** From the thread, which ends with it. */
export interface JoinAnswer {
  bytes: Uint8Array;
}
