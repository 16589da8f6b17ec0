import type { EsignCapabilities, SignRequest } from "../../plugin-api/index.js";
import type {
  RequestSubmitter,
  SignatureRequest,
} from "../../storage/database/index.js";

/** A request as the provider is to have it. */
export function requestOf(
  row: SignatureRequest,
  bytes: Uint8Array,
  { expiry }: EsignCapabilities,
): SignRequest {
  const { id, title, expiresAt, message, boxes, submitters, source } = row;
  const name = `${source?.fileName ?? "document"}.pdf`;
  // Where the provider ends none by itself, the watch does.
  const isTold = expiresAt !== null && expiry !== "none";
  return {
    requestId: id,
    title,
    ...(isTold && { expiresAt }),
    pdf: { name, bytes, pages: source?.pages ?? 1 },
    fields: boxes,
    submitters: submitters.map(submitterOf),
    ...(message !== null && { message }),
  };
}

function submitterOf({ role, email, name, order, values }: RequestSubmitter) {
  return {
    role,
    email,
    order,
    ...(name !== null && { name }),
    ...(Object.keys(values).length > 0 && { values }),
  };
}
