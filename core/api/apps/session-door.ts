import {
  type AppVisitor,
  type NewSession,
  PlatenError,
} from "../../plugin-api/index.js";
import type { OpenSession } from "../../accounts/sessions/index.js";
import type { HttpContext } from "../context.js";
import { refuseForgery } from "./refuse-forgery.js";
import { refuseOtherPage } from "./refuse-other-page.js";

/** Whose token this is; null for one that is not good (any more). */
export type OpenToken = (token: string) => Promise<OpenSession | null>;

const flowMs = 10 * 60_000;

/**
 * Sessions as cookies: out of scripts' reach, not sent along with other sites' requests, and on https under a name
 * that no other host and no http page can set.
 */
export class SessionDoor {
  readonly #isSecure: boolean;
  readonly #session: string;
  readonly #flow: string;

  constructor(
    private readonly openToken: OpenToken,
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
    refuseForgery(ctx, this.baseUrl, { byScript: true });
    const open = await this.#open(ctx);
    if (open === null)
      throw new PlatenError(
        "unauthorized",
        "You are not signed in, or your session has ended. Sign in again.",
      );
    refuseOtherPage(ctx, open.visitor);
    return open;
  }

  /** Of a route for anyone. @throws PlatenError `conflict` for what another site may have sent. */
  async look(ctx: HttpContext): Promise<AppVisitor | null> {
    refuseForgery(ctx, this.baseUrl, { byScript: false });
    return (await this.#open(ctx))?.visitor ?? null;
  }

  keep(ctx: HttpContext, session: NewSession | null): void {
    this.#set(ctx, this.#session, session && session.token, session?.expiresAt);
  }

  flow(ctx: HttpContext): string | null {
    return ctx.cookies.get(this.#flow) ?? null;
  }

  keepFlow(ctx: HttpContext, flow: string | null): void {
    this.#set(ctx, this.#flow, flow, new Date(Date.now() + flowMs));
  }

  async #open(ctx: HttpContext): Promise<OpenSession | null> {
    const token = ctx.cookies.get(this.#session);
    return token === undefined ? null : this.openToken(token);
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
