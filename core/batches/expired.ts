import type { BadEnd } from "./end-documents.js";

export const expired: BadEnd = {
  status: "expired",
  error: "The document was not ready before its expiry.",
};
