export const shell = {
  documentation: "Documentation",
  pageNotFound: "Page not found",
  pageDoesntExist: "This page doesn't exist",
  checkAddress: "Check the address for typos. The page may also have moved.",
  goToTemplates: "Go to templates",
  skipToContent: "Skip to content",
  couldntOpenPlaten: "Couldn't open Platen",
  platen: "Platen",
  pages: "Pages",
  templates: "Templates",
  documents: "Documents",
  batches: "Batches",
  assets: "Assets",
  connectSpreadsheet: "Connect a spreadsheet",
  buttons: "Buttons",
  connections: "Connections",
  webhooks: "Webhooks",
  usage: "Usage",
  numbers: "Numbers",
  apiKeys: "API keys",
  assistants: "Assistants",
  people: "People",
  auditLog: "Audit log",
  plugins: "Plugins",
  system: "System",
  light: "Light",
  dark: "Dark",
  accountOf: "Account of",
  accountAndSessions: "Account and sessions",
  organizationAndRole: "{{organization}}, {{role}}",
  colors: "Colors",
  signOut: "Sign out",
  organization: "Organization",
  couldntSwitchOrganization: "Couldn't switch the organization.",
} as const;

export const session = {
  onlyOwnersCanOpenThisPage: "Only owners can open this page",
  askOwner: "Ask an owner of your organization for help.",
  youAreSignedOut: "You are signed out.",
  signInAgain: "Sign in again",
  signedOutHelp:
    "You signed out in another tab, or your session ended. Sign in again as {{name}} to continue. Your changes stay in this tab.",
  otherIsNowSignedIn: "You are now signed in as someone else in another tab.",
  continueAsOther: "Continue as someone else",
  youAreNowSignedIn: "You are now signed in as {{name}} in another tab.",
  signInAsName: "Sign in as {{name}}",
  continueAsName: "Continue as {{name}}",
  otherPersonHelp:
    "This tab was opened as {{name}}. Nothing you do here is saved until {{name}} signs in again. Your changes stay in this tab.",
  youOpenedNameInAnotherTab: "You opened {{name}} in another tab.",
  switchBackToName: "Switch back to {{name}}",
  continueInName: "Continue in {{name}}",
  otherOrganizationHelp:
    "This tab still shows {{name}}. Nothing you do here is saved until you switch back to {{name}}. Your changes stay in this tab.",
} as const;

export const account = {
  ownerRole: "Owner: full access, including API keys",
  editorRole: "Editor: can change templates and create documents",
  viewerRole: "Viewer: read-only access",
  account: "Account",
  couldntLoadYourSessions: "Couldn't load your sessions",
  whereYouAreSignedIn: "Where you are signed in",
  endUnknownSessions: "End any session you don't recognize.",
  allOtherSessionsEnded: "All other sessions ended.",
  endAllOthers: "End all others",
  signedInDateLastUsed: "Signed in {{date}}, last used {{ago}}",
  thisBrowser: "This browser",
  endSessionInBrowser: "End the session in {{browser}}",
  sessionEnded: "Session ended.",
  end: "End",
} as const;

export const signIn = {
  signInPlaten: "Sign in · Platen",
  signInToPlaten: "Sign in to Platen",
  thisLinkWorksOnceAnd:
    "This link works once. It signs you in on this browser.",
  signIn: "Sign in",
  couldntLoadSignInOptions: "Couldn't load the sign-in options",
  continueWithOpenId: "Continue with {{openId}}",
  or: "or",
  emailMeSignInLink: "Email me a sign-in link",
  checkYourEmail: "Check your email",
  linkSent:
    "If {{to}} has an account, we sent a sign-in link. It works once and expires soon.",
  thisLinkHasBeenUsed: "This link has been used or has expired",
  eachLinkWorksOnceAnd:
    "Each link works once and expires soon. Request a new one.",
  thisLinkIsIncomplete: "This link is incomplete",
  incompleteLinkHelp:
    "Some email programs break long links. Copy the whole link into the address bar, or request a new one.",
  youHaveNoAccountHere: "You don't have an account yet",
  noOrganizationForEmail:
    "Your email address isn't in any organization. Ask an owner of your organization or the operator of this server to invite you.",
  yourEmailAddressIsNot: "Your email address isn't verified",
  verifyEmailHelp:
    "Verify it with your provider and try again, or request a sign-in link.",
  signInWasNotCompleted: "Sign-in wasn't completed",
  deniedHelp: "Your provider denied access, or you canceled. Try again.",
  signInTookTooLong: "Sign-in took too long or started in another browser",
  startAgainInThisBrowser: "Start again in this browser.",
  providerNotResponding: "The sign-in provider isn't responding",
  providerNotRespondingHelp:
    "Try again in a minute. If the problem persists, ask the operator of this server to check Platen's log.",
  couldntSignYouIn: "Couldn't sign you in",
  waitMinuteThenTryAgain: "Wait a minute, then try again.",
  askOperator:
    "Ask the operator of this server for a sign-in link. They create one with",
  orAskOperator:
    "Or ask the operator of this server for a sign-in link. They create one with",
  about: "About Platen",
  tagline: "Documents and emails from your data",
  whatItIs:
    "Platen turns records into PDFs and emails: invoices, contracts, labels, newsletters.",
  design: "Design templates visually",
  designHelp: "No code: drag components, insert fields, see the real PDF.",
  fill: "Fill them from a spreadsheet or database",
  fillHelp:
    "Airtable, Google Sheets, NocoDB, Directus, SQL, or your own program.",
  send: "Create, sign and save",
  sendHelp: "One click for one document, or thousands in a batch.",
  noAccount: "No account yet?",
  noAccountHelp:
    "Ask an owner of your organization to invite you under People.",
  noKeyHelp: "For API keys, sign in first: owners create them under API keys.",
  emailHelp: "We email you a link. You don't need a password.",
} as const;
