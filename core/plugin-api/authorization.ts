import type { PlatformContext } from "./platform-plugin.js";

/** What the page of the other side is asked. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  /** Of the method S256. */
  codeChallenge: string;
}

/** What that page answers. */
export interface AuthorizationCode {
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

/**
 * Secrets that a platform or the receiver of deliveries issues when a person consents on its page, so that nobody has to
 * paste them: an OAuth 2.0 authorization code with PKCE, for a client that the person has registered.
 */
export interface PluginAuthorization<C> {
  /** Names the account there, as in "Continue with Google". */
  title: string;
  /** The credentials that are entered before, such as the client's id and secret. */
  needs: readonly string[];
  /** The credentials that the consent gives; all are texts. */
  grants: readonly string[];
  /** The address of the page. */
  createUrl(
    context: PlatformContext<C>,
    request: AuthorizationRequest,
  ): Promise<string>;
  /** Never repeated. @returns the values of `grants`. */
  exchangeCode(
    context: PlatformContext<C>,
    code: AuthorizationCode,
  ): Promise<Readonly<Record<string, string>>>;
}
