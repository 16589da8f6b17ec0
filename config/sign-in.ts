import { PlatenError } from "../core/plugin-api/index.js";
import type { Config } from "./config.js";
import type { Values } from "./variables/index.js";

/** @throws PlatenError `invalid_request` for a provider that is named by half. */
export function signInOf(values: Values): Config["signIn"] {
  return {
    linkMs: values.PLATEN_LOGIN_LINK_TTL,
    sessionIdleMs: values.PLATEN_SESSION_IDLE,
    sessionMaxMs: values.PLATEN_SESSION_MAX,
    mail:
      values.PLATEN_SMTP_URL === null
        ? null
        : { smtpUrl: values.PLATEN_SMTP_URL, from: values.PLATEN_MAIL_FROM },
    openId: openIdOf(values),
  };
}

function openIdOf(values: Values): Config["signIn"]["openId"] {
  const { PLATEN_OIDC_ISSUER: issuer, PLATEN_OIDC_TITLE: title } = values;
  const clientId = values.PLATEN_OIDC_CLIENT_ID;
  const clientSecret = values.PLATEN_OIDC_CLIENT_SECRET;
  if (issuer === null && clientId === null && clientSecret === null)
    return null;
  if (issuer !== null && clientId !== null && clientSecret !== null)
    return { issuer, clientId, clientSecret, title };
  throw new PlatenError(
    "invalid_request",
    "The configuration cannot be used:\n  PLATEN_OIDC_ISSUER, PLATEN_OIDC_CLIENT_ID and PLATEN_OIDC_CLIENT_SECRET " +
      "belong together: set all three, or none.",
  );
}
