import { z } from "zod";
import { duration } from "../duration.js";
import { optionalText, text, type Variable } from "../variable.js";

const isLocal = ({ hostname }: URL) =>
  ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

const smtpUrl = z
  .url({ protocol: /^smtps?$/ })
  .optional()
  .transform((url) => url ?? null);

/** Tokens go there and come from there: by http they could be read on the way. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .transform((url) => new URL(url))
  .refine((url) => url.protocol === "https:" || isLocal(url))
  .optional()
  .transform((url) => url ?? null);

const aDuration = "a number and ms, s, m, h or d";

/** How people sign in to the studio. */
export const signInVariables = {
  PLATEN_SMTP_URL: {
    schema: smtpUrl,
    expected: "the address of a mail server, smtp:// or smtps://",
    example: "smtp://user:password@mail.example.com:587",
    isSecret: true,
  },
  PLATEN_MAIL_FROM: {
    schema: text("Platen <platen@localhost>"),
    expected: "the sender of mails",
    example: "Platen <documents@example.com>",
  },
  PLATEN_OIDC_ISSUER: {
    schema: issuer,
    expected: "the https address of an OpenID Connect provider",
    example: "https://accounts.example.com",
  },
  PLATEN_OIDC_CLIENT_ID: {
    schema: optionalText,
    expected: "the client id that the provider gave",
    example: "platen",
  },
  PLATEN_OIDC_CLIENT_SECRET: {
    schema: optionalText,
    expected: "the client secret that the provider gave",
    example: "3f9a…",
    isSecret: true,
  },
  PLATEN_OIDC_TITLE: {
    schema: text("single sign-on"),
    expected: "what the sign-in page calls the provider",
    example: "Acme",
  },
  PLATEN_LOGIN_LINK_TTL: {
    schema: duration("15m"),
    expected: aDuration,
    example: "15m",
  },
  PLATEN_SESSION_IDLE: {
    schema: duration("12h"),
    expected: aDuration,
    example: "12h",
  },
  PLATEN_SESSION_MAX: {
    schema: duration("7d"),
    expected: aDuration,
    example: "7d",
  },
} satisfies Record<string, Variable<unknown>>;
