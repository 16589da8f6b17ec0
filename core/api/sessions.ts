import type { Visitor, NewSession } from "../accounts/index.js";
import type { OpenSession, Sessions } from "../accounts/sessions/index.js";
import { clock } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import type { HttpContext } from "./middleware.js";

const flowMaxAgeMs = 10 * 60_000;

/**
 * Sessions as cookies: out of scripts' reach, not sent along with other sites' requests, and on https under a name
 * that no other host and no http page can set.
 */
export class SessionCookies {
  readonly #isSecure: boolean;
  readonly #session: string;
  readonly #flow: string;

  constructor(
    private readonly sessions: Pick<Sessions, "open">,
    private readonly baseUrl: string,
  ) {
    this.#isSecure = baseUrl.startsWith("https:");
    const prefix = this.#isSecure ? "__Host-" : "";
    this.#session = `${prefix}platen_session`;
    this.#flow = `${prefix}platen_sign_in`;
  }

  /** Whether the request brings a session, good or not. */
  isShown(ctx: HttpContext): boolean {
    return ctx.cookies.get(this.#session) !== undefined;
  }

  /**
   * @throws PlatenError `conflict` for what another site may have sent, `unauthorized` for a session that has ended,
   * `other_visitor` for a page that was opened by somebody else.
   */
  async enter(ctx: HttpContext): Promise<OpenSession> {
    rejectForgery(ctx, this.baseUrl, { byScript: true });
    const open = await this.#open(ctx);
    if (open === null)
      throw new PlatenError(
        "unauthorized",
        "You are not signed in, or your session has ended. Sign in again.",
      );
    ctx.state.caller = open.caller;
    rejectOtherVisitor(ctx, open.visitor);
    return open;
  }

  /** Of a route for anyone. @throws PlatenError `conflict` for what another site may have sent. */
  async look(ctx: HttpContext): Promise<Visitor | null> {
    rejectForgery(ctx, this.baseUrl, { byScript: false });
    return (await this.#open(ctx))?.visitor ?? null;
  }

  keep(ctx: HttpContext, session: NewSession | null): void {
    this.#set(ctx, this.#session, session && session.token, session?.expiresAt);
  }

  flow(ctx: HttpContext): string | null {
    return ctx.cookies.get(this.#flow) ?? null;
  }

  keepFlow(ctx: HttpContext, flow: string | null): void {
    this.#set(ctx, this.#flow, flow, new Date(clock.now() + flowMaxAgeMs));
  }

  async #open(ctx: HttpContext): Promise<OpenSession | null> {
    const token = ctx.cookies.get(this.#session);
    return token === undefined ? null : this.sessions.open(token);
  }

  /** Without a value, it is deleted. */
  #set(
    ctx: HttpContext,
    name: string,
    value: string | null,
    expires: Date | undefined,
  ): void {
    // On https there is a proxy in front, of which the request itself knows nothing.
    ctx.cookies.secure = this.#isSecure;
    ctx.cookies.set(name, value, {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: this.#isSecure,
      overwrite: true,
      ...(value !== null && expires && { expires }),
    });
  }
}

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** The header by which our pages' scripts say that they are ours; its value does not matter. */
const APP_HEADER = "x-platen-app";

/**
 * Lets nothing change by a request that another site's page sent with our visitor's cookie. Three proofs, each of which
 * stops it alone where the browser knows it: `Sec-Fetch-Site`, which pages cannot set; `Origin`, likewise; and for our
 * scripts' requests a header of our own, which a page of another origin may send only with our leave, and gets none.
 * @throws PlatenError `conflict`.
 */
function rejectForgery(
  ctx: HttpContext,
  baseUrl: string,
  { byScript }: { byScript: boolean },
): void {
  if (safeMethods.includes(ctx.method)) return;
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

/** The header by which our pages name the user who opened them: `<user id>/<organization id>`. */
const VISITOR_HEADER = "x-platen-visitor";

/**
 * A browser has one session for all its tabs. When somebody else signs in, or another organization is entered, what was
 * opened before must neither read nor write in their name.
 * @throws PlatenError `other_visitor`.
 */
function rejectOtherVisitor(
  ctx: HttpContext,
  { userId, organizationId }: Visitor,
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
