import { z } from "zod";
import { FORMATS } from "../../../plugin-api/index.js";
import type { Link } from "../../../storage/database/index.js";

/** For whom a link's token is, so that nothing else that is sealed can be used in its place. */
export const AUDIENCE = "run";

/** What a token says: all that it may do. Names are short, since the token stands in an address. */
export const linkClaims = z.strictObject({
  aud: z.literal(AUDIENCE),
  jti: z.string(),
  org: z.string(),
  tpl: z.string(),
  plt: z.string(),
  con: z.string(),
  bas: z.string().optional(),
  tbl: z.string(),
  fld: z.string().optional(),
  fmt: z.array(z.enum(FORMATS)).min(1),
  ovr: z.boolean(),
  /** Seconds since 1970. */
  exp: z.number().optional(),
});
export type LinkClaims = z.output<typeof linkClaims>;

export function claimsOf(link: Link): LinkClaims {
  const { baseId, fieldId, expiresAt } = link;
  return {
    aud: AUDIENCE,
    jti: link.id,
    org: link.organizationId,
    tpl: link.templateId,
    plt: link.platform,
    con: link.connectionId,
    ...(baseId !== null && { bas: baseId }),
    tbl: link.tableId,
    ...(fieldId !== null && { fld: fieldId }),
    fmt: link.formats,
    ovr: link.overwriteExisting,
    ...(expiresAt !== null && { exp: Math.floor(expiresAt.getTime() / 1000) }),
  };
}
