import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const shell = {
  documentation: "Dokumentation",
  pageNotFound: "Seite nicht gefunden",
  pageDoesntExist: "Diese Seite gibt es nicht",
  checkAddress:
    "Prüfen Sie die Adresse auf Tippfehler. Möglicherweise wurde die Seite auch verschoben.",
  goToTemplates: "Zu den Vorlagen",
  skipToContent: "Zum Inhalt springen",
  couldntOpenPlaten: "Platen konnte nicht geöffnet werden",
  platen: "Platen",
  pages: "Seiten",
  templates: "Vorlagen",
  documents: "Dokumente",
  batches: "Stapel",
  assets: "Medien",
  connectSpreadsheet: "Tabelle verbinden",
  buttons: "Schaltflächen",
  connections: "Verbindungen",
  webhooks: "Webhooks",
  usage: "Nutzung",
  numbers: "Nummernkreise",
  apiKeys: "API-Schlüssel",
  assistants: "Assistenten",
  people: "Personen",
  auditLog: "Protokoll",
  plugins: "Plugins",
  system: "System",
  light: "Hell",
  dark: "Dunkel",
  accountOf: "Konto von",
  accountAndSessions: "Konto und Sitzungen",
  organizationAndRole: "{{organization}}, {{role}}",
  colors: "Farben",
  signOut: "Abmelden",
  organization: "Organisation",
  couldntSwitchOrganization: "Die Organisation konnte nicht gewechselt werden.",
} as const satisfies Translation<typeof en.shell, "de">;

export const session = {
  onlyOwnersCanOpenThisPage: "Nur Eigentümer können diese Seite öffnen",
  askOwner: "Bitten Sie einen Eigentümer Ihrer Organisation um Hilfe.",
  youAreSignedOut: "Sie sind abgemeldet.",
  signInAgain: "Erneut anmelden",
  signedOutHelp:
    "Sie haben sich in einem anderen Tab abgemeldet, oder Ihre Sitzung ist abgelaufen. Melden Sie sich erneut als {{name}} an, um fortzufahren. Ihre Änderungen bleiben in diesem Tab.",
  otherIsNowSignedIn:
    "In einem anderen Tab ist jetzt jemand anderes angemeldet.",
  continueAsOther: "Mit diesem Konto fortfahren",
  youAreNowSignedIn:
    "Sie sind jetzt in einem anderen Tab als {{name}} angemeldet.",
  signInAsName: "Als {{name}} anmelden",
  continueAsName: "Als {{name}} fortfahren",
  otherPersonHelp:
    "Dieser Tab wurde als {{name}} geöffnet. Hier wird nichts gespeichert, bis {{name}} wieder angemeldet ist. Ihre Änderungen bleiben in diesem Tab.",
  youOpenedNameInAnotherTab:
    "Sie haben {{name}} in einem anderen Tab geöffnet.",
  switchBackToName: "Zurück zu {{name}} wechseln",
  continueInName: "In {{name}} fortfahren",
  otherOrganizationHelp:
    "Dieser Tab zeigt noch {{name}}. Hier wird nichts gespeichert, bis Sie zurück zu {{name}} wechseln. Ihre Änderungen bleiben in diesem Tab.",
} as const satisfies Translation<typeof en.session, "de">;

export const account = {
  ownerRole: "Eigentümer: voller Zugriff, auch auf API-Schlüssel",
  editorRole: "Bearbeiter: kann Vorlagen ändern und Dokumente erstellen",
  viewerRole: "Betrachter: kann nur ansehen",
  account: "Konto",
  couldntLoadYourSessions: "Ihre Sitzungen konnten nicht geladen werden",
  whereYouAreSignedIn: "Wo Sie angemeldet sind",
  endUnknownSessions: "Beenden Sie Sitzungen, die Sie nicht kennen.",
  allOtherSessionsEnded: "Alle anderen Sitzungen beendet.",
  endAllOthers: "Alle anderen beenden",
  signedInDateLastUsed: "Angemeldet am {{date}}, zuletzt verwendet {{ago}}",
  thisBrowser: "Dieser Browser",
  endSessionInBrowser: "Sitzung in {{browser}} beenden",
  sessionEnded: "Sitzung beendet.",
  end: "Beenden",
} as const satisfies Translation<typeof en.account, "de">;

export const signIn = {
  signInPlaten: "Anmelden · Platen",
  signInToPlaten: "Bei Platen anmelden",
  thisLinkWorksOnceAnd:
    "Dieser Link ist nur einmal gültig. Er meldet Sie in diesem Browser an.",
  signIn: "Anmelden",
  couldntLoadSignInOptions:
    "Die Anmeldemöglichkeiten konnten nicht geladen werden",
  continueWithOpenId: "Weiter mit {{openId}}",
  or: "oder",
  emailMeSignInLink: "Anmeldelink per E-Mail senden",
  checkYourEmail: "Sehen Sie in Ihr Postfach",
  linkSent:
    "Falls {{to}} ein Konto hat, haben wir einen Anmeldelink gesendet. Er ist nur einmal gültig und läuft bald ab.",
  thisLinkHasBeenUsed: "Dieser Link wurde schon verwendet oder ist abgelaufen",
  eachLinkWorksOnceAnd:
    "Jeder Link ist nur einmal gültig und läuft bald ab. Fordern Sie einen neuen an.",
  thisLinkIsIncomplete: "Dieser Link ist unvollständig",
  incompleteLinkHelp:
    "Manche E-Mail-Programme brechen lange Links um. Kopieren Sie den ganzen Link in die Adresszeile oder fordern Sie einen neuen an.",
  youHaveNoAccountHere: "Sie haben noch kein Konto",
  noOrganizationForEmail:
    "Ihre E-Mail-Adresse gehört zu keiner Organisation. Bitten Sie einen Eigentümer Ihrer Organisation oder den Betreiber dieses Servers um eine Einladung.",
  yourEmailAddressIsNot: "Ihre E-Mail-Adresse ist nicht bestätigt",
  verifyEmailHelp:
    "Bestätigen Sie sie bei Ihrem Anbieter und versuchen Sie es erneut, oder fordern Sie einen Anmeldelink an.",
  signInWasNotCompleted: "Die Anmeldung wurde nicht abgeschlossen",
  deniedHelp:
    "Ihr Anbieter hat den Zugriff verweigert, oder Sie haben abgebrochen. Versuchen Sie es erneut.",
  signInTookTooLong:
    "Die Anmeldung hat zu lange gedauert oder in einem anderen Browser begonnen",
  startAgainInThisBrowser: "Beginnen Sie in diesem Browser noch einmal.",
  providerNotResponding: "Der Anmeldedienst antwortet nicht",
  providerNotRespondingHelp:
    "Versuchen Sie es in einer Minute erneut. Bleibt das Problem bestehen, bitten Sie den Betreiber dieses Servers, das Log von Platen zu prüfen.",
  couldntSignYouIn: "Die Anmeldung ist fehlgeschlagen",
  waitMinuteThenTryAgain:
    "Warten Sie eine Minute und versuchen Sie es dann erneut.",
  askOperator:
    "Bitten Sie den Betreiber dieses Servers um einen Anmeldelink. Er erstellt ihn mit",
  orAskOperator:
    "Oder bitten Sie den Betreiber dieses Servers um einen Anmeldelink. Er erstellt ihn mit",
  about: "Über Platen",
  tagline: "Dokumente und E‑Mails aus Ihren Daten",
  whatItIs:
    "Platen macht aus Datensätzen PDFs und E-Mails: Rechnungen, Verträge, Etiketten, Newsletter.",
  design: "Vorlagen mit der Maus gestalten",
  designHelp:
    "Ganz ohne Code: Elemente ziehen, Felder einfügen, das echte PDF sehen.",
  fill: "Aus Tabelle oder Datenbank füllen",
  fillHelp:
    "Airtable, Google Sheets, NocoDB, Directus, SQL oder Ihr eigenes Programm.",
  send: "Erstellen, unterschreiben, speichern",
  sendHelp: "Ein Dokument mit einem Klick oder Tausende in einem Stapel.",
  noAccount: "Noch kein Konto?",
  noAccountHelp:
    "Bitten Sie einen Eigentümer Ihrer Organisation, Sie unter „Personen“ einzuladen.",
  noKeyHelp:
    "Für API-Schlüssel melden Sie sich zuerst an: Eigentümer erstellen sie unter „API-Schlüssel“.",
  emailHelp: "Wir senden Ihnen einen Link. Sie brauchen kein Passwort.",
} as const satisfies Translation<typeof en.signIn, "de">;
