import { PlatenError } from "../../plugin-api/index.js";
import type { HttpContext } from "../context.js";

const safe = ["GET", "HEAD", "OPTIONS"];

/** The header by which our pages' scripts say that they are ours; its value does not matter. */
const APP_HEADER = "x-platen-app";

/**
 * Lets nothing change by a request that another site's page sent with our visitor's cookie. Three proofs, each of which
 * stops it alone where the browser knows it: `Sec-Fetch-Site`, which pages cannot set; `Origin`, likewise; and for our
 * scripts' requests a header of our own, which a page of another origin may send only with our leave, and gets none.
 * @throws PlatenError `conflict`.
 */
export function refuseForgery(
  ctx: HttpContext,
  baseUrl: string,
  { byScript }: { byScript: boolean },
): void {
  if (safe.includes(ctx.method)) return;
  const site = ctx.get("sec-fetch-site");
  if (site === "" ? !isOwnOrigin(ctx, baseUrl) : site !== "same-origin")
    throw forged("It was sent by a page of another site.");
  if (byScript && ctx.get(APP_HEADER) === "")
    throw forged(
      `Requests of someone who is signed in need the header ${APP_HEADER}; programs should send a key in x-api-key.`,
    );
}

/** Of a browser that does not send `Sec-Fetch-Site`. What sends no `Origin` either is no browser of this decade. */
function isOwnOrigin(ctx: HttpContext, baseUrl: string): boolean {
  const origin = ctx.get("origin");
  if (origin === "") return true;
  if (origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === ctx.host;
}

function forged(why: string): PlatenError {
  return new PlatenError("conflict", `The request was refused. ${why}`);
}
