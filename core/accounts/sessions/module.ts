import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../../lib/injection.js";
import { SecretBox } from "../../lib/secrets.js";
import { Mailer } from "../../lib/mailer.js";
import { BASE_URL, CONFIG, MAILER, SECRETS } from "../../lib/tokens.js";
import { STORE } from "../../storage/database/tokens.js";
import {
  LoginLinks,
  LoginMail,
  Members,
  OpenIdSignIn,
  People,
  SessionKeys,
  Sessions,
  SignIn,
} from "./index.js";
import * as t from "./tokens.js";

export function registerSessions(container: DependencyContainer): void {
  registerClass(container, t.SESSIONS, Sessions);
  registerClass(container, t.SESSION_KEYS, SessionKeys);
  registerClass(container, t.MEMBERS, Members);
  registerClass(container, t.PEOPLE, People);
  registerClass(container, t.SIGN_IN, SignIn);
  registerFactory(container, t.SESSION_TIMES, (c) => {
    const { sessionIdleMs, sessionMaxMs } = c.resolve(CONFIG).signIn;
    return { idleMs: sessionIdleMs, maxMs: sessionMaxMs };
  });
  registerFactory(container, t.LOGIN_LINKS, (c) => {
    const { linkMs } = c.resolve(CONFIG).signIn;
    return new LoginLinks(c.resolve(STORE), signInPage(c), linkMs);
  });
  registerFactory(container, t.LOGIN_MAIL, (c) => {
    const mailer = c.resolve(MAILER);
    return mailer && new LoginMail(mailer);
  });
  registerFactory(container, MAILER, (c) => {
    const { mail } = c.resolve(CONFIG);
    return mail && new Mailer(mail);
  });
  registerFactory(container, t.OPEN_ID_SIGN_IN, (c) => {
    const { openId } = c.resolve(CONFIG).signIn;
    const box = new SecretBox(c.resolve(SECRETS), "sign-in");
    return (
      openId && new OpenIdSignIn(openId, `${signInPage(c)}/openid/return`, box)
    );
  });
}

/** The studio's page for signing in. A login link is this URL and its token. */
function signInPage(container: DependencyContainer): string {
  return `${container.resolve(BASE_URL)}/studio/sign-in`;
}
