import { createToken } from "../../lib/tokens.js";
import type {
  LoginLinks,
  LoginMail,
  Members,
  OpenIdSignIn,
  People,
  SessionKeys,
  Sessions,
  SessionTimes,
  SignIn,
} from "./index.js";

export const SESSIONS = createToken<Sessions>("Sessions");
export const SESSION_TIMES = createToken<SessionTimes>("SessionTimes");
export const SESSION_KEYS = createToken<SessionKeys>("SessionKeys");
export const LOGIN_LINKS = createToken<LoginLinks>("LoginLinks");
/** Null: no mail server is configured. */
export const LOGIN_MAIL = createToken<LoginMail | null>("LoginMail");
export const MEMBERS = createToken<Members>("Members");
/** Null: no OpenID provider is configured. */
export const OPEN_ID_SIGN_IN = createToken<OpenIdSignIn | null>("OpenIdSignIn");
export const PEOPLE = createToken<People>("People");
export const SIGN_IN = createToken<SignIn>("SignIn");
