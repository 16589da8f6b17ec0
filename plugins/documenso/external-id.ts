import { PlatformError, type Submitter } from "../../core/plugin-api/index.js";

/** As many characters as Documenso keeps. */
const longest = 255;

/**
 * What an envelope is found again by: our id, and the roles of its recipients in their order, for Documenso has no place
 * for them. @throws PlatformError `invalid_field` when the names of the roles are too long.
 */
export function externalIdOf(
  requestId: string,
  submitters: readonly Submitter[],
): string {
  const roles = submitters.map(({ role }) => encodeURIComponent(role));
  const id = `${requestId}:${roles.join(",")}`;
  if (id.length <= longest) return id;
  throw new PlatformError(
    "invalid_field",
    "the names of the signers' roles are too long together. Give them shorter ones in the template.",
  );
}

export function isOf(externalId: string | null, requestId: string): boolean {
  return externalId?.startsWith(`${requestId}:`) ?? false;
}

/** In the order of the recipients. */
export function rolesIn(externalId: string | null): string[] {
  const [, roles = ""] = (externalId ?? "").split(":");
  return roles.split(",").map(decoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
