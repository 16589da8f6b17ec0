import { type AppVisitor, PlatenError } from "../../plugin-api/index.js";
import type { HttpContext } from "../context.js";

/** The header by which our pages say whose they are: `<user id>/<organization id>` of whoever opened them. */
const VISITOR_HEADER = "x-platen-visitor";

/**
 * A browser has one session for all its tabs. When somebody else signs in, or another organization is entered, what was
 * opened before must neither read nor write in their name.
 * @throws PlatenError `other_visitor`.
 */
export function refuseOtherPage(
  ctx: HttpContext,
  { userId, organizationId }: AppVisitor,
): void {
  const owner = ctx.get(VISITOR_HEADER);
  if (owner === "" || owner === `${userId}/${organizationId}`) return;
  const isSamePerson = owner.startsWith(`${userId}/`);
  const what = isSamePerson
    ? "You have opened another organization in another tab"
    : "Someone else is signed in now, in another tab of this browser";
  throw new PlatenError(
    "other_visitor",
    `${what}. Nothing was done: sign in there as before, or load this page again.`,
  );
}
