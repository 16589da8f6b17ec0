import { createToken } from "../../lib/tokens.js";
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
export const ACCESS_TOKENS = createToken<AccessTokens>("AccessTokens");
