import {
  type AppSignIn,
  type Log,
  type NewSession,
  PlatenError,
} from "../../plugin-api/index.js";
import type { Store } from "../../storage/database/index.js";
import { type LoginLinks, useLink, type LoginMail } from "./login-links.js";
import { findPerson } from "./members.js";
import type { OpenIdSignIn } from "./open-id.js";
import type { Sessions } from "./sessions.js";
import { inject, injectable } from "../../lib/injection.js";
import { LOG } from "../../lib/tokens.js";
import { STORE } from "../../storage/database/tokens.js";
import {
  LOGIN_LINKS,
  LOGIN_MAIL,
  OPEN_ID_SIGN_IN,
  SESSIONS,
} from "./tokens.js";

const linksAnHour = 5;

/** Signs people in by a link, by email or through an OpenID provider. */
@injectable()
export class SignIn implements AppSignIn {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(LOGIN_LINKS) private readonly links: LoginLinks,
    @inject(LOGIN_MAIL) private readonly mail: LoginMail | null,
    @inject(OPEN_ID_SIGN_IN) private readonly openId: OpenIdSignIn | null,
    @inject(LOG) private readonly log: Log,
  ) {}

  offers(): { mail: boolean; openId: string | null } {
    const { mail, openId } = this;
    return { mail: mail !== null, openId: openId?.title ?? null };
  }

  async byLink(token: string, userAgent: string): Promise<NewSession> {
    const { store, sessions } = this;
    return store.unitOfWork.run(async (tx) => {
      const member = await useLink(tx, token, new Date());
      return sessions.startIn(tx, member, "link", userAgent);
    });
  }

  /** Answers before it has looked, so that neither words nor time tell who is known. */
  async mailLink(email: string): Promise<void> {
    const { mail, log } = this;
    if (mail === null) throw notOffered("by e-mail", "PLATEN_SMTP_URL");
    this.#mail(mail, email).catch((error: unknown) => {
      log.error({ err: error }, "a sign-in link could not be mailed");
    });
  }

  async beginOpenId(): Promise<{ url: string; flow: string }> {
    return this.#openId().begin();
  }

  async finishOpenId(
    answer: URLSearchParams,
    flow: string | null,
    userAgent: string,
  ): Promise<NewSession> {
    const { store, sessions } = this;
    const email = await this.#openId().finish(answer, flow);
    return store.unitOfWork.run(async (tx) => {
      const person = await findPerson(tx, email);
      const member = person?.memberships[0];
      if (member === undefined) throw stranger(email);
      return sessions.startIn(tx, member, "openid", userAgent);
    });
  }

  async #mail(mail: LoginMail, email: string): Promise<void> {
    const { store, links, log } = this;
    const person = await findPerson(store.read, email);
    const member = person?.memberships[0];
    if (!person || !member) return;
    const { userId } = member;
    const actor = { origin: "studio", userId: null, keyId: null } as const;
    const link = await links.issueAtMost(linksAnHour, member, actor);
    if (link) await mail.send(person.user, link);
    else
      log.warn({ userId }, "too many sign-in links in an hour: none was sent");
  }

  #openId(): OpenIdSignIn {
    const { openId } = this;
    if (openId === null)
      throw notOffered("by a provider", "PLATEN_OIDC_ISSUER");
    return openId;
  }
}

function notOffered(way: string, variable: string): PlatenError {
  return new PlatenError(
    "not_found",
    `Signing in ${way} is not set up here: it needs ${variable}.`,
  );
}

function stranger(email: string): PlatenError {
  return new PlatenError(
    "forbidden",
    `There is no user with the address ${email} here. Ask an owner of your organization to add you.`,
  );
}
