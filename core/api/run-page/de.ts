import type { Translation } from "../../plugin-api/languages.js";
import type { en } from "./en.js";

export const de = {
  brand: "Platen",
  tryAgain: "Erneut versuchen",
  detailsForCreator: "Einzelheiten für die Person, die dies eingerichtet hat",
  oneMoment: "Einen Moment …",

  confirmTitle: "{{name}}: Dokumente erstellen",
  createQuestion_one: "Dieses Dokument erstellen?",
  createQuestion_other: "{{count, number}} Dokumente erstellen?",
  recordsMissing_one:
    "Ein Datensatz ist nicht mehr in der Tabelle „{{table}}“ und wird übersprungen.",
  recordsMissing_other:
    "{{count, number}} Datensätze sind nicht mehr in der Tabelle „{{table}}“ und werden übersprungen.",
  template: "Vorlage",
  records_one: "Datensatz",
  records_other: "Datensätze",
  allInView: "Alle Datensätze der Ansicht „{{view}}“",
  allMatching: "Alle Datensätze, die zum Filter der Schaltfläche passen",
  allWithoutFile: "Alle Datensätze ohne Datei in „{{field}}“",
  firstRecords_one:
    "Es gibt weitere Datensätze. Erstellt wird das Dokument des ersten.",
  firstRecords_other:
    "Es gibt weitere Datensätze. Erstellt werden die Dokumente der ersten {{count, number}}.",
  openAgain: "Öffnen Sie diese Seite für die übrigen noch einmal.",
  othersLater:
    "Die übrigen können erstellt werden, wenn diese nicht mehr ausgewählt sind.",
  moreRecords: "und {{count, number}} weitere",
  youGet: "Sie erhalten",
  formats_one: "{{formats}}",
  formats_other: "{{formats}} je Datensatz",
  savedIn: "Gespeichert in",
  fieldOfTable: "Feld „{{field}}“ von „{{table}}“",
  replacesFiles: "Die Dateien im Feld werden ersetzt.",
  create_one: "Dokument erstellen",
  create_other: "{{count, number}} Dokumente erstellen",
  worksUntil: "Gültig bis",
  timeUtc: "{{time}} (UTC)",
  nothingYet:
    "Erst wenn Sie auf diese Schaltfläche klicken, wird etwas erstellt.",
  previewAlt: "Erste Seite der Vorlage {{template}} mit Beispieldaten",
  previewCaption: "Die Vorlage mit Beispieldaten",

  pdf: "ein PDF",
  html: "eine Webseite",
  image: "ein Bild",
  mjml: "ein E-Mail-Quelltext",
  xml: "eine E-Rechnung",

  progress: "Fortschritt",
  creating_one: "Ihr Dokument wird erstellt …",
  creating_other: "{{count, number}} Dokumente werden erstellt …",
  saving_one: "Ihre Datei wird gespeichert …",
  saving_other: "Ihre Dateien werden gespeichert …",
  ready_one: "Ihr Dokument ist fertig",
  ready_other: "Ihre {{count, number}} Dokumente sind fertig",
  unsaved_one: "Ihr Dokument ist erstellt, aber nicht gespeichert",
  unsaved_other:
    "Ihre {{count, number}} Dokumente sind erstellt, aber nicht gespeichert",
  someUnsaved:
    "{{unsaved, number}} von {{total, number}} Dokumenten konnten nicht gespeichert werden",
  notCreated_one: "Das Dokument konnte nicht erstellt werden",
  notCreated_other: "Die Dokumente konnten nicht erstellt werden",
  someReady: "{{ready, number}} von {{total, number}} Dokumenten sind fertig",
  readySoFar:
    "{{ready, number}} von {{total, number}} fertig. Sie können diese Seite geöffnet lassen oder später wiederkommen.",
  readyAndFailedSoFar:
    "{{ready, number}} von {{total, number}} fertig, {{failed, number}} nicht erstellt. Sie können diese Seite geöffnet lassen oder später wiederkommen.",
  notSaved_one:
    "Die Datei konnte nicht in Ihrer Tabelle gespeichert werden. Sie ist nicht verloren: Laden Sie sie hier herunter.",
  notSaved_other:
    "{{count, number}} Dateien konnten nicht in Ihrer Tabelle gespeichert werden. Sie sind nicht verloren: Laden Sie sie hier herunter.",
  saved_one:
    "Es ist im Feld „{{field}}“ gespeichert. Sie können diese Seite schließen.",
  saved_other:
    "Sie sind im Feld „{{field}}“ gespeichert. Sie können diese Seite schließen.",
  download_one: "Laden Sie es hier herunter.",
  download_other: "Laden Sie sie hier herunter.",
  nothingSaved: "In Ihrer Tabelle wurde nichts gespeichert.",
  opensInNewTab: "(wird in einem neuen Tab geöffnet)",
  saveAgain: "Noch einmal speichern",
  notListed_one: "{{count, number}} weiteres ist hier nicht aufgeführt.",
  notListed_other: "{{count, number}} weitere sind hier nicht aufgeführt.",
  filesUntil: "Sie können die Dateien hier bis {{time}} (UTC) herunterladen.",

  documentWaiting: "Wartet",
  documentRendering: "Wird erstellt …",
  documentReady: "Fertig",
  documentSaving: "Wird in „{{field}}“ gespeichert …",
  documentSaved: "In „{{field}}“ gespeichert",
  documentNotSaved: "Erstellt, aber nicht in „{{field}}“ gespeichert.",
  documentExpired: "Nicht erstellt: Es hat zu lange gedauert.",
  documentFailed: "Nicht erstellt: Etwas im Datensatz passt nicht zur Vorlage.",

  linkUnusable: "Dieser Link kann nicht verwendet werden",
  revokedWhy: "Er wurde von seinem Eigentümer widerrufen.",
  deletedWhy: "Es gibt ihn nicht mehr.",
  incompleteWhy:
    "Er ist unvollständig oder gehört zu einem anderen Dienst. Kopieren Sie ihn noch einmal von dort, wo er erstellt wurde.",
  linkExpired: "Dieser Link ist abgelaufen",
  expiredWhy:
    "Er galt bis zu einem Zeitpunkt, den sein Eigentümer festgelegt hat.",
  startAgain: "Bitte beginnen Sie noch einmal",
  filesGone: "Die Dateien sind nicht mehr verfügbar",
  requestId: "Anfrage-ID: {{id}}",
  askOwner: "Fragen Sie die Person, die dies für Sie eingerichtet hat.",
  paused: "Diese Schaltfläche ist pausiert",
  pausedWhy:
    "Ihr Eigentümer hat sie vorerst ausgeschaltet. Es wurde nichts erstellt.",
  nothingToCreate: "Im Moment gibt es nichts zu erstellen",
  noneInView: "Die Ansicht „{{view}}“ enthält keine Datensätze.",
  noneMatching:
    "Kein Datensatz von „{{table}}“ passt zum Filter der Schaltfläche.",
  noneWithoutFile:
    "Jeder Datensatz von „{{table}}“ hat eine Datei in „{{field}}“ oder bekommt gerade eine.",
  noneLeft:
    "Die Datensätze haben sich geändert, oder jemand anderes hat diese Dokumente schon erstellt. Es wurde nichts erstellt.",
  noRecord: "Kein Datensatz ausgewählt",
  noRecordHelp:
    "Dieser Link erstellt ein Dokument aus einem Datensatz Ihrer Tabelle. Öffnen Sie ihn mit der Schaltfläche oder Formel dieses Datensatzes.",
  recordNotFound: "Datensatz nicht gefunden",
  recordNotFoundWhy:
    "Er wurde gelöscht, oder der Link gehört zu einer anderen Tabelle. Es wurde nichts erstellt.",
  recordNotFoundHelp:
    "Gehen Sie zurück zu Ihrer Tabelle und verwenden Sie die Schaltfläche eines Datensatzes.",
  tooManyRecords: "Zu viele Datensätze",
  tooManyRecordsHelp:
    "Wählen Sie weniger Datensätze aus und wiederholen Sie dies für die übrigen.",
  removed: "Diese Seite ist nicht mehr verfügbar",
  removedWhy:
    "Die Vorlage, die Verbindung oder die Seite hinter diesem Link wurde entfernt.",
  outdated: "Dieser Link muss aktualisiert werden",
  outdatedWhy:
    "Die Vorlage, die Tabelle oder der Link wurde geändert, seit der Link erstellt wurde. Es wurde nichts erstellt.",
  busy: "Im Moment zu viele Anfragen",
  waitAMinute:
    "Es wurde nichts erstellt. Warten Sie eine Minute und versuchen Sie es dann erneut.",
  unexpected: "Etwas ist schiefgegangen",
  unexpectedHelp:
    "Es liegt nicht an Ihnen. Versuchen Sie es in einer Minute erneut.",
  accessDenied: "Platen hat keinen Zugriff auf Ihre Tabelle",
  quotaUsedUp: "Das Kontingent der Tabelle ist aufgebraucht",
  quotaUsedUpWhy:
    "Die Plattform nimmt keine Anfragen mehr an, bis ihr Kontingent erneuert oder erhöht wird.",
  accessDeniedWhy:
    "Der Zugriff wurde entzogen, oder das Passwort hat sich geändert. Es wurde nichts erstellt.",
  notResponding: "Ihre Tabelle antwortet nicht",
  tableChanged: "Ihre Tabelle hat sich geändert",
  tableChangedWhy:
    "Eine Tabelle oder ein Feld, das dieser Link braucht, wurde umbenannt oder gelöscht. Es wurde nichts erstellt.",
} as const satisfies Translation<typeof en, "de">;
