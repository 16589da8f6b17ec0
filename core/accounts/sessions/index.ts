// Signed-in people: sign-in by link, email or OpenID provider, their sessions, and what their
// role allows. A session identifies a caller as an API key does.
export { LoginLinks, LoginMail, SignIn, LOGIN_MAIL } from "./sign-in.js";
export { findMembership, listMemberships, Members } from "./members.js";
export { People } from "./people.js";
export { OpenIdSignIn } from "./open-id.js";
export {
  getRoleScopes,
  newToken,
  SessionKeys,
  type OpenSession,
  Sessions,
  toStudioActor,
} from "./sessions.js";
