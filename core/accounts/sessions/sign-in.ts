import { type EntityManager, IsNull, LessThan, MoreThan } from "typeorm";
import type { NewSession } from "../views.js";
import { clock } from "../../lib/clock.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import { type Mailer, MAILER } from "../../lib/mailer.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import {
  type Store,
  findForUpdate,
  insertRow,
  LoginLink,
  newId,
  User,
  STORE,
} from "../../storage/database/index.js";
import { LOG, BASE_URL, CONFIG } from "../../lib/process-values.js";
import { type Actor, hashOf, recordAudit } from "../index.js";
import { findPerson, findMembership, type Member } from "./members.js";
import { type OpenIdSignIn, OPEN_ID_SIGN_IN } from "./open-id.js";
import { Sessions, newToken } from "./sessions.js";

/** Null: no mail server is configured. */
export const LOGIN_MAIL = createToken<LoginMail | null>("LoginMail");
provide(LOGIN_MAIL, (c) => {
  const mailer = c.resolve(MAILER);
  return mailer && new LoginMail(mailer);
});

/** Links of one person that are mailed and work at the same time. */
const maxMailedLinks = 5;

/** Addresses that sign one person in once. */
export class LoginLinks {
  /**
   * @param pageUrl where links lead; the token is put behind it.
   * @param lifeMs how long one is good.
   */
  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly pageUrl: string,
    private readonly lifeMs: number,
  ) {}

  /** @param lifeMs how long this one is good. */
  async issue(
    member: Pick<Member, "userId" | "organizationId">,
    actor: Actor,
    lifeMs = this.lifeMs,
  ): Promise<IssuedLink> {
    return this.store.unitOfWork.run((tx) =>
      this.issueIn(tx, member, actor, lifeMs),
    );
  }

  /**
   * Null when the person has as many that still work: of several at once, each counts those before it. So nobody can
   * keep a person out by asking for links in their name: one of those in the mailbox works.
   */
  async issueAtMost(
    max: number,
    member: Pick<Member, "userId" | "organizationId">,
    actor: Actor,
  ): Promise<IssuedLink | null> {
    const { userId } = member;
    return this.store.unitOfWork.run(async (tx) => {
      await findForUpdate(tx, User, { id: userId });
      const now = clock.now();
      const working = await tx.countBy(LoginLink, {
        userId,
        usedAt: IsNull(),
        expiresAt: MoreThan(new Date(now)),
        createdAt: MoreThan(new Date(now - this.lifeMs)),
      });
      return working < max ? this.issueIn(tx, member, actor) : null;
    });
  }

  async issueIn(
    tx: EntityManager,
    { userId, organizationId }: Pick<Member, "userId" | "organizationId">,
    actor: Actor,
    lifeMs = this.lifeMs,
  ): Promise<IssuedLink> {
    const token = newToken();
    const createdAt = clock.date();
    const expiresAt = new Date(createdAt.getTime() + lifeMs);
    await tx.delete(LoginLink, {
      expiresAt: LessThan(new Date(createdAt.getTime() - retentionMs)),
    });
    const row: LoginLink = {
      id: newId(),
      userId,
      organizationId,
      hash: hashOf(token),
      createdAt,
      expiresAt,
      usedAt: null,
    };
    await insertRow(tx, LoginLink, row);
    await recordAudit(tx, actor, {
      organizationId,
      action: "login_link.created",
      subject: userId,
      details: { linkId: row.id },
    });
    return { url: `${this.pageUrl}/${token}`, expiresAt };
  }
}

provide(LoginLinks, (c) => {
  // A login link is this URL and its token.
  const page = `${c.resolve(BASE_URL)}/studio/sign-in`;
  return new LoginLinks(
    c.resolve(STORE),
    page,
    c.resolve(CONFIG).signIn.linkMs,
  );
});

@scoped(Lifecycle.ContainerScoped)
export class SignIn {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(Sessions) private readonly sessions: Sessions,
    @inject(LoginLinks) private readonly links: LoginLinks,
    @inject(LOGIN_MAIL) private readonly mail: LoginMail | null,
    @inject(OPEN_ID_SIGN_IN) private readonly openId: OpenIdSignIn | null,
    @inject(LOG) private readonly log: Log,
  ) {}

  offers(): { mail: boolean; openId: string | null } {
    const { mail, openId } = this;
    return { mail: mail !== null, openId: openId?.title ?? null };
  }

  /** A link works once, even when it is opened several times at once. */
  async byLink(token: string, userAgent: string): Promise<NewSession> {
    const { store, sessions } = this;
    return store.unitOfWork.run(async (tx) => {
      const member = await useLink(tx, token, clock.date());
      return sessions.startIn(tx, member, "link", userAgent);
    });
  }

  /** Answers before it has looked, so that neither words nor time tell who is known. */
  async mailLink(email: string): Promise<void> {
    const { mail, log } = this;
    if (mail === null) throw notOffered("by email", "PLATEN_SMTP_URL");
    this.#mail(mail, email).catch((error: unknown) => {
      log.error({ err: error }, "a sign-in link could not be mailed");
    });
  }

  /** @returns the URL for the browser, and the flow that must come back with it. */
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
      if (member === undefined)
        throw new PlatenError(
          "forbidden",
          `There is no user with the address ${email} here. Ask an owner of your organization to add you.`,
        );
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
    const link = await links.issueAtMost(maxMailedLinks, member, actor);
    if (link) await mail.send(person.user, link);
    else
      log.warn(
        { userId },
        "too many sign-in links that still work: none was sent",
      );
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

/** The token of the link is not stored. */
export interface IssuedLink {
  url: string;
  expiresAt: Date;
}

const retentionMs = 30 * 24 * 60 * 60_000;

/**
 * Uses a link up, in the transaction that signs its person in: of two clicks, the second finds it used.
 * @throws PlatenError `gone` for one that was used or is too old, `not_found` for what is no link of ours.
 */
async function useLink(
  tx: EntityManager,
  token: string,
  now: Date,
): Promise<Member> {
  const link = await findForUpdate(tx, LoginLink, { hash: hashOf(token) });
  if (link === null)
    throw new PlatenError(
      "not_found",
      "Unknown sign-in link. Check that it is complete, or ask for a new one.",
    );
  if (link.usedAt !== null) throw linkUsed("was used already");
  if (link.expiresAt <= now) throw linkUsed("is too old");
  const { affected } = await tx.update(
    LoginLink,
    { id: link.id, usedAt: IsNull() },
    { usedAt: now },
  );
  if (affected !== 1) throw linkUsed("was used already");
  const member = await findMembership(tx, link.userId, link.organizationId);
  if (member === null) throw linkUsed("is for someone who was removed");
  return member;
}

function linkUsed(what: string): PlatenError {
  return new PlatenError(
    "gone",
    `This sign-in link ${what}. Each works once, for a short time: ask for a new one.`,
  );
}

export class LoginMail {
  constructor(private readonly mailer: Pick<Mailer, "send">) {}

  /** @throws PlatenError as `Mailer.send`. */
  send(
    { name, email }: { name: string; email: string },
    link: IssuedLink,
  ): Promise<void> {
    return this.mailer.send({
      to: { name, address: email },
      subject: "Your sign-in link for Platen",
      text: createMailText(name, link),
    });
  }
}

function createMailText(name: string, { url, expiresAt }: IssuedLink): string {
  const until = expiresAt.toISOString().slice(0, 16).replace("T", " ");
  return [
    `Hello ${name},`,
    "",
    "open this address and press the button there to sign in to Platen:",
    "",
    url,
    "",
    `It works once, until ${until} UTC. If you did not ask for it, do nothing: nobody gets in without it.`,
    "",
  ].join("\n");
}
