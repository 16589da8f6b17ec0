import type { EntityManager } from "typeorm";
import { z } from "zod";
import type { SecretBox } from "../../../lib/secrets.js";
import {
  FORMATS,
  PlatenError,
  type Problem,
} from "../../../plugin-api/index.js";
import {
  Link,
  Organization,
  type Plan,
} from "../../../storage/database/index.js";

// What the holder of a link's token may do.

/** The audience of the tokens, so that no other encrypted text is accepted as one. */
const AUDIENCE = "run";
const maxTokenLength = 4096;

/** All that a token allows. Names are short, because the token is part of a URL. */
const linkClaims = z.strictObject({
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
type LinkClaims = z.output<typeof linkClaims>;

/** Creates a link's token: encrypted (JWE, `dir`, A256GCM), and different each time. */
export function createToken(secrets: SecretBox, link: Link): Promise<string> {
  const { baseId, fieldId, expiresAt } = link;
  const claims: LinkClaims = {
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
  return secrets.seal(JSON.stringify(claims), AUDIENCE);
}

/** A link whose token was presented and is valid. */
export interface OpenLink {
  link: Link;
  plan: Plan;
}

/** @throws PlatenError `unauthorized` that says whether the token is invalid, expired or revoked. */
export async function openLink(
  read: EntityManager,
  secrets: SecretBox,
  token: string,
): Promise<OpenLink> {
  const claims = await readToken(secrets, token);
  const { jti: id, org: organizationId, exp } = claims;
  const link = await read.findOneBy(Link, { id, organizationId });
  if (link === null) throw createRefusal("This link no longer exists.");
  if (link.revokedAt !== null)
    throw createRefusal("This link was revoked by its owner.");
  if (exp !== undefined && exp * 1000 <= Date.now())
    throw createRefusal(
      `This link expired at ${new Date(exp * 1000).toISOString()}.`,
    );
  const { plan } = await read.findOneByOrFail(Organization, {
    id: organizationId,
  });
  return { link, plan };
}

/** Decrypts a token, whether it is still valid or not. */
async function readToken(
  secrets: SecretBox,
  token: string,
): Promise<LinkClaims> {
  if (token.length > maxTokenLength) throw createTokenError();
  try {
    return linkClaims.parse(JSON.parse(await secrets.open(token, AUDIENCE)));
  } catch (cause) {
    throw createTokenError(cause);
  }
}

function createTokenError(cause?: unknown): PlatenError {
  return new PlatenError(
    "unauthorized",
    "This link is incomplete or does not belong to this service. Copy it again from where it was created.",
    cause === undefined ? {} : { cause },
  );
}

function createRefusal(message: string): PlatenError {
  return new PlatenError("unauthorized", `${message} Ask for a new one.`);
}

/**
 * Completes the body of a request that came with a link's token: fields that it omits are set by the link.
 * @throws PlatenError `invalid_request` that lists the fields that differ from the link.
 */
export function bindToLink(
  link: Link,
  platform: string,
  body: Record<string, unknown>,
): Record<string, unknown> {
  // The accepted values of each field; the first is the one that an omitted field gets.
  const bound: Record<string, unknown[]> = {
    templateId: [link.templateId],
    connectionId: [link.connectionId],
    baseId: [link.baseId],
    tableId: [link.tableId, link.tableName],
    attachmentField: [link.fieldId, link.fieldName],
    formats: [link.formats],
    overwriteExisting: [link.overwriteExisting],
  };
  const differing = Object.keys(bound).filter(
    (name) =>
      body[name] !== undefined &&
      !bound[name]?.some((value) => isSame(value, body[name])),
  );
  if ("templateVersion" in body) differing.push("templateVersion");
  if (platform !== link.platform || differing.length > 0)
    throw new PlatenError(
      "invalid_request",
      `This link only generates documents from one template and from one table of ${link.platform}.`,
      { problems: differing.map(createBoundProblem) },
    );
  const { token: _, ...rest } = body;
  const defaults = Object.entries(bound).flatMap(([name, [value]]) =>
    value === null || value === undefined ? [] : [[name, value]],
  );
  return { ...rest, ...Object.fromEntries(defaults) };
}

function isSame(one: unknown, other: unknown): boolean {
  return one !== null && JSON.stringify(one) === JSON.stringify(other);
}

function createBoundProblem(name: string): Problem {
  const message = "is set by the link; omit it";
  return { path: `$.${name}`, code: "bound", message };
}
