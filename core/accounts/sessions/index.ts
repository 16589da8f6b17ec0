// People who are signed in: by which link, letter or provider they came, in which browsers they are, and what their
// role lets them do. A session stands for a caller as an API key does; what that may do, the account room says.
export {
  LoginLinks,
  type IssuedLink,
  type MailSettings,
  LoginMail,
} from "./login-links.js";
export { Members, type MemberView } from "./members.js";
export { People, type PeopleParts } from "./people.js";
export { OpenIdSignIn, type OpenIdSettings } from "./open-id.js";
export {
  SessionKeys,
  type OpenSession,
  Sessions,
  type SessionTimes,
} from "./sessions.js";
export { SignIn } from "./sign-in.js";
