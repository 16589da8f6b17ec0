import type { SignatureRequest } from "../storage/database/index.js";
import type { SignatureView } from "./signing.js";

/** What whoever made a document is told of its request. */
export function signatureView(row: SignatureRequest): SignatureView {
  const { id, provider, status, submitters, error, warnings } = row;
  return {
    id,
    provider,
    status,
    submitters: submitters.map(({ role, email, status: standing, url }) => ({
      role,
      email,
      status: standing,
      url,
    })),
    ...(error !== null && { error }),
    ...(warnings.length > 0 && { warnings }),
  };
}
