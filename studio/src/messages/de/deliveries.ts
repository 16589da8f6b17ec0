import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const deliveries = {
  delivery: "Zustellung",
  pluginsLead:
    "Fertige Dokumente weitergeben: per E-Mail oder an einen Speicher.",
  templateLead:
    "Wohin jedes Dokument geht, sobald es fertig ist, wenn Stapel, Link oder Automatisierung nichts anderes sagen.",
  couldntLoad: "Die Verbindungen konnten nicht geladen werden",
  none: "Keine Zustellung",
  noneHelp:
    "Dokumente können heruntergeladen werden, bis sie ablaufen. Mit einer Zustellung geht jedes per E-Mail oder an einen Speicher.",
  add: "Zustellung hinzufügen",
  edit: "Zustellung bearbeiten",
  editName: "Zustellung an {{name}} bearbeiten",
  removeName: "Zustellung an {{name}} entfernen",
  saved: "Zustellung gespeichert",
  to: "Zustellen an",
  serviceMail: "E-Mail dieses Dienstes",
  unknownConnection: "Gelöschte Verbindung",
  connectionsHelp:
    "Postfächer und Speicher werden unter <link>Verbindungen</link> hinzugefügt.",
  emailTemplate: "E-Mail-Vorlage",
  subjectOfTemplate: "Wie in der E-Mail-Vorlage",
  subjectOfDocument: "Der Name des Dokuments",
  options: "Optionen",
  files: "Dateien in der E-Mail",
  attached: "Als Anhang",
  linked: "Als Links",
  formatsHelp: "Nichts ausgewählt: alle Dateien des Dokuments.",
  testMode: "Testmodus",
  testOff: "Aus: an die Empfänger",
  testToStarter: "Alles an die Person, die den Stapel startet",
  testToAddress: "Alles an eine Adresse…",
  testAddress: "Adresse für Tests",
  filename: "Dateiname",
  filenameHelp: "Ohne Endung. Standard: der Name des Dokuments.",
  insertFieldInto: "Feld einfügen in {{label}}",
  delivered: "Zugestellt: {{succeeded, number}}",
  unknown: "{{unknown, number}} möglicherweise angekommen",
  notDelivered: "Nicht zugestellt",
  retry: "Fehlgeschlagene erneut zustellen",
  retrying: "Es wird erneut zugestellt.",
  sendAgain: "Möglicherweise Angekommenes erneut senden",
  sendAgainWarning_one:
    "Niemand weiß, ob {{count, number}} Zustellung angekommen ist. Fragen Sie zuerst den Empfänger: Er erhält sie sonst vielleicht zweimal.",
  sendAgainWarning_other:
    "Niemand weiß, ob {{count, number}} Zustellungen angekommen sind. Fragen Sie zuerst die Empfänger: Sie erhalten sie sonst vielleicht zweimal.",
} as const satisfies Translation<typeof en.deliveries, "de">;
