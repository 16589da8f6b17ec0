import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const documents = {
  notSaved: "Nicht gespeichert",
  lead: "Alle erstellten Dokumente, die neuesten zuerst. Diese Liste aktualisiert sich von selbst.",
  filterDocuments: "Dokumente filtern",
  searchDocuments: "Dokumente suchen",
  allTemplates: "Alle Vorlagen",
  showAll: "Filter zurücksetzen",
  noDocumentsYet: "Noch keine Dokumente",
  noMatchingDocuments: "Keine passenden Dokumente",
  noDocumentsHelp:
    "Öffnen Sie eine Vorlage, um eines zu erstellen. Auch Dokumente, die über die API erstellt werden, erscheinen hier.",
  tryAnotherFilter:
    "Versuchen Sie einen anderen Filter. Die Suche betrachtet Dateinamen, Namen von Vorlagen, Fehler und Dokument-IDs.",
  onlyNewest:
    "Nur die neuesten {{maximum, number}} Treffer werden aufgelistet. Schränken Sie die Suche ein, um ältere Dokumente zu finden.",
  filesDeleted: "Dateien gelöscht",
  agoByName: "{{ago}} von {{name}}",
  templateAgoByName: "{{template}}, {{ago}} von {{name}}",
} as const satisfies Translation<typeof en.documents, "de">;

export const batches = {
  couldntLoadBatch: "Der Stapel konnte nicht geladen werden",
  batchNotFound: "Stapel nicht gefunden.",
  batchOfName: "Stapel von {{name}}",
  summary_one: "{{count, number}} Dokument, {{ago}} von {{createdBy}}",
  summary_other: "{{count, number}} Dokumente, {{ago}} von {{createdBy}}",
  progress: "Fortschritt",
  retryOf:
    "Wiederholt die fehlgeschlagenen Dokumente <link>eines anderen Stapels</link>.",
  retryStarted: "Für diese Dokumente wurde ein neuer Stapel gestartet.",
  cancelBatch: "Stapel abbrechen",
  retryFailedDocuments: "Fehlgeschlagene wiederholen",
  retryExpiredDocuments: "Abgelaufene wiederholen",
  downloadAll: "Alle herunterladen",
  downloadTable: "Zeilen mit Links herunterladen",
  downloadOnePdf: "Als eine PDF herunterladen",
  createOnePdf: "Eine PDF erstellen",
  creatingOnePdf: "Eine PDF wird erstellt…",
  onePdfFailed: "Die PDF konnte nicht erstellt werden: {{reason}}",
  cancelThisBatch: "Diesen Stapel abbrechen?",
  keepRunning: "Weiterlaufen lassen",
  cancelWarning_one:
    "{{count, number}} wartendes Dokument wird nicht erstellt. Dokumente in Arbeit werden noch fertig, und fertige bleiben erhalten.",
  cancelWarning_other:
    "{{count, number}} wartende Dokumente werden nicht erstellt. Dokumente in Arbeit werden noch fertig, und fertige bleiben erhalten.",
  retryingFailedFiles:
    "Die fehlgeschlagenen Dateien werden erneut gespeichert.",
  retryFailedFiles: "Dateien erneut speichern",
  documentsOfBatch: "Dokumente des Stapels",
  couldntLoadDocuments: "Die Dokumente konnten nicht geladen werden",
  lead: "Jeder Stapel erstellt ein Dokument je Datensatz. Diese Liste aktualisiert sich von selbst.",
  couldntLoadBatches: "Die Stapel konnten nicht geladen werden",
  noBatchesYet: "Noch keine Stapel",
  noBatchesHelp:
    "Öffnen Sie eine Vorlage und wählen Sie „Dokumente aus einer Datei erstellen“. Stapel von Schaltflächen, Automatisierungen und der API erscheinen ebenfalls hier.",
  failedFailed: "{{failed}} fehlgeschlagen",
  doneWithFailures: "Fertig, mit Fehlern",
  whatFailed_one: "Warum {{count, number}} Dokument fehlgeschlagen ist",
  whatFailed_other: "Warum {{count, number}} Dokumente fehlgeschlagen sind",
  otherErrors_one:
    "{{count, number}} Dokument ist aus einem anderen Grund fehlgeschlagen.",
  otherErrors_other:
    "{{count, number}} Dokumente sind aus anderen Gründen fehlgeschlagen.",
  canceling: "Wird abgebrochen",
  canceled: "Abgebrochen",
  finishedDocuments: "Fertige Dokumente",
  endedOfTotalCount: "{{ended, number}} von {{totalCount, number}}",
  filesSaved: "In der Tabelle gespeicherte Dateien: {{succeeded, number}}",
  filesPending: "{{pending, number}} ausstehend",
  filesFailed: "{{failed, number}} fehlgeschlagen",
  savingFiles: "Wird gespeichert",
  filesNotSaved_one: "{{count, number}} Datei nicht gespeichert",
  filesNotSaved_other: "{{count, number}} Dateien nicht gespeichert",
} as const satisfies Translation<typeof en.batches, "de">;

export const usage = {
  lead: "Erstellte Dokumente pro Tag. Tests und Fehlschläge zählen nicht. Die Tage gelten in UTC.",
  previousMonth: "Vorheriger Monat",
  nextMonth: "Nächster Monat",
  couldntLoadUsage: "Die Nutzung konnte nicht geladen werden",
  noDocumentsThisMonth: "Keine Dokumente in diesem Monat",
  documentsAppearHere:
    "Dokumente, die Sie erstellen, erscheinen hier. Tests zählen nicht.",
  byDay: "Nach Tagen",
  chartOfMonth: "Diagramm des Monats",
  asTable: "Als Tabelle",
  day: "Tag",
} as const satisfies Translation<typeof en.usage, "de">;

export const fromFile = {
  title: "Dokumente aus einer Datei erstellen",
  lead: "Ein Dokument für jede Zeile einer Tabellendatei.",
  choose: "Datei auswählen",
  drop: "Ziehen Sie eine Datei hierher",
  formats:
    "CSV, Excel (.xlsx), LibreOffice (.ods) oder JSON mit bis zu 100.000 Zeilen",
  reading: "Die Datei wird gelesen …",
  couldntRead: "Die Datei konnte nicht gelesen werden",
  columns_one: "{{count, number}} Zeile",
  columns_other: "{{count, number}} Zeilen",
  sheet: "Tabellenblatt",
  headerRow: "Kopfzeile",
  dates: "Datumsformat",
  chooseOne: "Bitte auswählen",
  dayFirst: "Tag.Monat.Jahr",
  monthFirst: "Monat/Tag/Jahr",
  yearFirst: "Jahr-Monat-Tag",
  column: "Spalte",
  values: "Erste Werte",
  fieldOfColumn: "Feld für die Spalte {{name}}",
  leaveOut: "Weglassen",
  otherProblems_one: "Und {{count, number}} weiteres.",
  otherProblems_other: "Und {{count, number}} weitere.",
  firstDocument: "Das erste Dokument",
  fixFirst: "Beheben Sie zuerst die Probleme.",
  make_one: "{{count, number}} Dokument erstellen",
  make_other: "{{count, number}} Dokumente erstellen",
} as const satisfies Translation<typeof en.fromFile, "de">;
