import type { Signer } from "../plugin-api/index.js";
import type { RequestSubmitter } from "../storage/database/index.js";

/** Our submitters with what the provider tells of them; a link that it tells no more is kept. */
export function mergeSigners(
  submitters: readonly RequestSubmitter[],
  signers: readonly Signer[],
): RequestSubmitter[] {
  const byRole = new Map(signers.map((signer) => [signer.role, signer]));
  return submitters.map((submitter) => {
    const signer = byRole.get(submitter.role);
    if (!signer) return submitter;
    return {
      ...submitter,
      status: signer.status,
      url: signer.url ?? submitter.url,
      reason: signer.reason ?? submitter.reason,
    };
  });
}
