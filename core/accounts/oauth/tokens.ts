import { createToken } from "../../lib/tokens.js";
import type { CallerCache } from "../index.js";
import type {
  AccessTokens,
  Clients,
  Consent,
  Grants,
  OauthAddresses,
} from "./index.js";

export const OAUTH_ADDRESSES = createToken<OauthAddresses>("OauthAddresses");
export const OAUTH_CLIENTS = createToken<Clients>("Clients");
export const CONSENT = createToken<Consent>("Consent");
export const GRANTS = createToken<Grants>("Grants");
/** Callers by their access token; those by key have a cache of their own. */
export const ACCESS_TOKEN_CALLERS = createToken<CallerCache>(
  "CallerCache of access tokens",
);
export const ACCESS_TOKENS = createToken<AccessTokens>("AccessTokens");
