import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const keys = {
  onlyOwnersCanManageApi: "Nur Eigentümer können API-Schlüssel verwalten",
  askOwner:
    "Bitten Sie einen Eigentümer Ihrer Organisation um einen Schlüssel.",
  lead: "Mit API-Schlüsseln können andere Programme Platen verwenden.",
  newKey: "Neuer Schlüssel",
  couldntLoadKeys: "Die Schlüssel konnten nicht geladen werden",
  noKeysYet: "Noch keine Schlüssel",
  noKeysHelp:
    "Programme senden mit jeder Anfrage einen Schlüssel im Header x-api-key.",
  createdDate: "Erstellt am {{date}}",
  usedAgo: "Verwendet {{ago}}",
  neverUsed: "Nie verwendet",
  expiresDate: "Läuft am {{date}} ab",
  revoked: "Widerrufen",
  revokeName: "{{name}} widerrufen",
  revoke: "Widerrufen",
  yourNewKey: "Ihr neuer Schlüssel",
  thisKeyIsShownOnly:
    "Dieser Schlüssel wird nur einmal angezeigt. Bewahren Sie ihn auf Ihrem Server auf.",
  newApiKey: "Neuer API-Schlüssel",
  createKey: "Schlüssel erstellen",
  createDocuments: "Dokumente erstellen",
  fullAccess: "Voller Zugriff",
  never: "Nie",
  n30Days: "30 Tage",
  n90Days: "90 Tage",
  n1Year: "1 Jahr",
  whereItIsUsedSuch: "Wo er verwendet wird, etwa „Onlineshop“",
  expires: "Läuft ab",
  networks: "Netzwerke",
  networksPlaceholder: "Beliebig, oder zum Beispiel 203.0.113.0/24",
  onlyFrom: "Nur aus {{networks}}",
  scopes: "Berechtigungen",
  nameWasRevoked: "{{name}} wurde widerrufen.",
  revokeNameQuestion: "{{name}} widerrufen?",
  revokeWarning:
    "Anfragen mit <code>{{prefix}}…</code> werden dann abgelehnt. Das lässt sich nicht rückgängig machen.",
  keyCopied: "Schlüssel kopiert.",
  readTemplates: "Vorlagen und Medien sehen",
  writeTemplates: "Vorlagen und Medien erstellen und ändern",
  readDocuments: "Dokumente und Stapel sehen",
  writeDocuments: "Dokumente und Stapel erstellen",
  readWebhooks: "Webhooks sehen",
  writeWebhooks: "Webhooks erstellen und ändern",
  readConnections: "Verbindungen sehen",
  writeConnections: "Verbindungen erstellen und ändern",
  readAccount: "Konto und Nutzung sehen",
} as const satisfies Translation<typeof en.keys, "de">;

export const assistants = {
  lead: "KI-Assistenten, die mit Ihrer Organisation verbunden sind. Jeder handelt im Namen der Person, die ihn verbunden hat.",
  ownLead:
    "KI-Assistenten, die Sie verbunden haben. Sie handeln in Ihrem Namen.",
  couldntLoad: "Die Assistenten konnten nicht geladen werden",
  noneYet: "Keine Assistenten verbunden",
  noneHelp:
    "Fügen Sie Platen in Claude, ChatGPT oder einem anderen Assistenten mit dieser Adresse als Konnektor hinzu. Hier werden Sie dann gefragt, was er darf.",
  address: "Adresse für Assistenten",
  copyAddress: "Adresse kopieren",
  addressCopied: "Adresse kopiert.",
  byName: "Verbunden von {{name}}",
  connectedDate: "Verbunden am {{date}}",
  disconnect: "Trennen",
  disconnectName: "{{name}} trennen",
  disconnectNameQuestion: "{{name}} trennen?",
  disconnectWarning:
    "{{name}} verliert sofort den Zugriff. Was damit erstellt wurde, bleibt erhalten. Sie können die Verbindung später neu herstellen.",
  nameWasDisconnected: "{{name}} wurde getrennt.",
  seeTemplates: "Ihre Vorlagen und Medien sehen",
  changeTemplates:
    "Vorlagen und Medien erstellen, ändern und in den Papierkorb legen",
  seeDocuments: "Die erstellten Dokumente sehen",
  createDocuments: "Dokumente erstellen, die zu Ihrer Nutzung zählen",
} as const satisfies Translation<typeof en.assistants, "de">;

export const connect = {
  title: "{{name}} verbinden",
  question: "{{name}} mit Platen verbinden?",
  signedInAs: "Sie sind als <b>{{email}}</b> angemeldet.",
  itMay: "Damit wird erlaubt",
  roleAllowsNothing: "Ihre Rolle erlaubt nichts davon",
  roleAllowsNothingHelp:
    "Wählen Sie eine andere Organisation oder bitten Sie einen Eigentümer um eine andere Rolle.",
  toHost: "Sie kehren danach zu <b>{{host}}</b> zurück",
  toDevice:
    "Sie kehren danach zu einer App auf diesem Gerät (<b>{{host}}</b>) zurück",
  ownNameOfHost:
    "„{{name}}“ nennt sich die App selbst. Fahren Sie nur fort, wenn Sie dies gerade bei {{host}} begonnen haben.",
  ownNameOfDevice:
    "„{{name}}“ nennt sich die App selbst. Fahren Sie nur fort, wenn Sie dies gerade dort begonnen haben.",
  verified: "{{host}} hat bestätigt, dass die App von dort ist.",
  allow: "Erlauben",
  cancel: "Abbrechen",
  disconnectAnytime:
    "Sie können die Verbindung jederzeit unter „Assistenten“ trennen.",
  cannotConnect: "Diese App kann nicht verbunden werden",
  cannotConnectHelp:
    "Die App hat keinen Zugriff erhalten. Beginnen Sie im Assistenten noch einmal. Tritt das Problem wieder auf, entfernen Sie dort die Verbindung und fügen Sie sie neu hinzu.",
  backTo: "Zurück zu {{host}}",
  done: "{{name}} ist verbunden",
  declined: "{{name}} wurde nicht verbunden",
  doneHelp: "Sie können diese Seite schließen und zur App zurückkehren.",
  goToPlaten: "Zu Platen",
} as const satisfies Translation<typeof en.connect, "de">;

export const people = {
  lead: "Die Mitglieder Ihrer Organisation und ihre Rollen.",
  inviteSomeone: "Jemanden einladen",
  couldntLoadPeople: "Die Personen konnten nicht geladen werden",
  you: "Sie",
  sinceDate: "Seit {{date}}",
  changeRole: "Rolle ändern",
  newSignInLink: "Neuer Anmeldelink",
  nameWasRemoved: "{{name}} wurde entfernt.",
  removedWithKeys_one:
    "{{name}} wurde entfernt. {{count, number}} API-Schlüssel dieser Person gilt weiterhin.",
  removedWithKeys_other:
    "{{name}} wurde entfernt. {{count, number}} API-Schlüssel dieser Person gelten weiterhin.",
  removeName: "{{name}} entfernen?",
  removeWarning:
    "{{name}} wird sofort abgemeldet und kann nur mit einer neuen Einladung zurückkehren. Vorlagen und Dokumente der Person bleiben erhalten.",
  roleOfName: "Rolle von {{name}}",
  roleChangeSignsYouOut:
    "Sie werden abgemeldet. Melden Sie sich erneut an, um die neue Rolle zu verwenden.",
  roleChangeSignsThemOut:
    "Die Person wird abgemeldet. Sie muss sich erneut anmelden, um die neue Rolle zu verwenden.",
  viewerHelp:
    "Kann alles ansehen außer API-Schlüsseln, Personen und Protokoll.",
  editorHelp: "Kann außerdem Vorlagen ändern und Dokumente erstellen.",
  ownerHelp:
    "Voller Zugriff, auch auf Personen, Verbindungen, Webhooks und API-Schlüssel.",
  emailAddress: "E-Mail-Adresse",
  invite: "Einladen",
  signInLinkForName: "Anmeldelink für {{name}}",
  linkNotShown:
    "{{name}} gehört auch zu anderen Organisationen, daher wird der Link hier nicht angezeigt. Die Person kann sich wie gewohnt anmelden und im Kontomenü zu Ihrer Organisation wechseln.",
  linkCopied: "Link kopiert.",
  copyLink: "Link kopieren",
  linkWasSentByEmail: "Der Link wurde per E-Mail gesendet",
  itWorksOnceAndExpires: "Er ist nur einmal gültig, bis {{time}}.",
  couldntEmailLink: "Der Link konnte nicht per E-Mail gesendet werden",
  reasonIsInPlatensLog: "Der Grund steht im Log von Platen.",
  shareLink:
    "Geben Sie diesen Link nur an {{name}} weiter. Er ist nur einmal und bis {{time}} gültig und wird nicht wieder angezeigt.",
  orShareLink:
    "Oder geben Sie diesen Link nur an {{name}} weiter. Er ist nur einmal und bis {{time}} gültig und wird nicht wieder angezeigt.",
} as const satisfies Translation<typeof en.people, "de">;

export const audit = {
  lead: "Wer was in Ihrer Organisation geändert hat, das Neueste zuerst. Einträge können nicht geändert werden.",
  couldntLoadLog: "Das Protokoll konnte nicht geladen werden",
  noMatchingEntries: "Keine passenden Einträge",
  noMatchesHelp:
    "Versuchen Sie andere Tage, eine andere Person oder alle Aktionen.",
  what: "Aktion",
  who: "Person",
  showAll: "Alle anzeigen",
  everyone: "Alle",
  organizationCreated: "Organisation erstellt",
  organizationChanged: "Organisation geändert",
  personAdded: "Person hinzugefügt",
  personJoinedFromAnotherOrganization:
    "Person aus anderer Organisation beigetreten",
  roleChanged: "Rolle geändert",
  personRemoved: "Person entfernt",
  signInLinkCreated: "Anmeldelink erstellt",
  signedIn: "Angemeldet",
  sessionEnded: "Sitzung beendet",
  apiKeyCreated: "API-Schlüssel erstellt",
  apiKeyRevoked: "API-Schlüssel widerrufen",
  assistantConnected: "Assistent verbunden",
  assistantDisconnected: "Assistent getrennt",
  templateImported: "Vorlage importiert",
  templateCreated: "Vorlage erstellt",
  templateChanged: "Vorlage geändert",
  draftOfTemplateDiscarded: "Entwurf einer Vorlage verworfen",
  templateMovedToTrash: "Vorlage in den Papierkorb gelegt",
  templateRestored: "Vorlage wiederhergestellt",
  blockCreated: "Block erstellt",
  blockChanged: "Block geändert",
  blockDeleted: "Block gelöscht",
  brandChanged: "Marke geändert",
  assetUploaded: "Datei hochgeladen",
  assetMovedToTrash: "Datei in den Papierkorb gelegt",
  assetRestored: "Datei wiederhergestellt",
  assetDeletedPermanently: "Datei endgültig gelöscht",
  buttonLinkCreated: "Schaltfläche erstellt",
  buttonLinkChanged: "Schaltfläche geändert",
  buttonLinkRevoked: "Schaltfläche widerrufen",
  signatureRequestCanceled: "Signaturanfrage abgebrochen",
  signatureRequestSentAgain: "Signaturanfrage erneut gesendet",
  webhookAdded: "Webhook hinzugefügt",
  webhookChanged: "Webhook geändert",
  webhookDeleted: "Webhook gelöscht",
  webhookSecretRotated: "Geheimnis eines Webhooks gewechselt",
  webhookDisabled: "Webhook deaktiviert",
  connectionAdded: "Verbindung hinzugefügt",
  connectionChanged: "Verbindung geändert",
  connectionDeleted: "Verbindung gelöscht",
  connectionCredentialsReEncrypted:
    "Zugangsdaten einer Verbindung neu verschlüsselt",
  pluginEnabled: "Plugin aktiviert",
  buttons: "Schaltflächen",
  inStudio: "im Studio",
  viaApi: "über die API",
  viaAssistant: "über einen Assistenten",
  onCommandLine: "über die Befehlszeile",
  automatically: "automatisch",
  system: "System",
  operator: "Der Betreiber",
  fromFromToTo: "von {{from}} zu {{to}}",
  asRole: "als {{role}}",
  byLink: "mit einem Link",
  bySingleSignOn: "mit Single Sign-on",
  actor: "{{name}}, {{where}}",
  actorWithKey: "{{name}}, {{where}} mit dem Schlüssel {{key}}",
  allActions: "Alle Aktionen",
} as const satisfies Translation<typeof en.audit, "de">;
