// OAuth 2.1 for assistants that connect to the tool server: Platen is both the authorization server and the resource.
// A client registers itself (RFC 7591) or is known by the URL of its description (a client ID metadata document); a
// signed-in person allows it something in one organization, which is a grant; the client exchanges a code for an access
// token of an hour and a refresh token that works once.
//
// - Clients are public: none has a secret, and each proves by PKCE (S256) that it is the one who asked.
// - A token is good for the tool server at /mcp and nothing else. Stored are hashes.
// - A grant never allows more than its person's role does at the moment of the call, and ends with the membership, when it
//   is revoked, when it is not used for 30 days, or when a code or refresh token is presented a second time.
export { Clients } from "./clients.js";
export { Consent } from "./consent.js";
export { Grants, isAccessToken } from "./grants.js";
export {
  authorizationServerMetadata,
  OAuthError,
  type OauthAddresses,
  oauthPaths,
  protectedResourceMetadata,
  TOOL_SCOPES,
  OAUTH_ADDRESSES,
} from "./protocol.js";
