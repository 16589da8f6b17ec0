import { type EntityManager } from "typeorm";
import { PlatenError } from "../../../plugin-api/index.js";
import {
  Link,
  Organization,
  type Plan,
} from "../../../storage/database/index.js";
import type { LinkTokens } from "./link-tokens.js";

/** A link whose token was shown, and holds. */
export interface OpenLink {
  /** As the token says it; the row and the token never differ. */
  link: Link;
  plan: Plan;
}

/** @throws PlatenError `unauthorized` for a token that is not ours, has expired or was revoked, saying which. */
export async function openLink(
  read: EntityManager,
  tokens: LinkTokens,
  token: string,
): Promise<OpenLink> {
  const { jti: id, org: organizationId, exp } = await tokens.open(token);
  const link = await read.findOneBy(Link, { id, organizationId });
  if (link === null) throw refusal("This link does not exist any more.");
  if (link.revokedAt !== null)
    throw refusal("This link was switched off by whoever made it.");
  if (exp !== undefined && exp * 1000 <= Date.now())
    throw refusal(
      `This link could be used until ${new Date(exp * 1000).toISOString()}.`,
    );
  const { plan } = await read.findOneByOrFail(Organization, {
    id: organizationId,
  });
  return { link, plan };
}

function refusal(message: string): PlatenError {
  return new PlatenError("unauthorized", `${message} Ask for a new one.`);
}
