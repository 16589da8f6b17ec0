import type { BadEnd } from "./end-documents.js";

/** Workers that may end under a document; then it is not given to another. */
export const mostInterruptions = 3;

/** How a document ends under which workers ended so many times. */
export function poisoned(times: number): BadEnd {
  return {
    status: "failed",
    error:
      `The process that rendered this document ended ${times} times, so it is not tried again. ` +
      "Look for what is unusual in its data, such as very many pages.",
  };
}
