import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const wizard = {
  buttonName: "Name der Schaltfläche",
  shownAtTopOfPage: "Steht oben auf der Seite, die die Schaltfläche öffnet.",
  buttonRecordsHelp:
    "Die Schaltfläche zeigt, wie viele Dokumente sie erstellt, und fragt zuerst.",
  recordOfItsRow: "Der Datensatz, dessen Schaltfläche angeklickt wird",
  allWithoutFile: "Alle Datensätze ohne Datei in „{{field}}“",
  allInView: "Alle Datensätze der Ansicht „{{view}}“",
  allMatchingFilter: "Alle Datensätze, die zu einem Filter passen",
  filterHelp: "Geben Sie den Wert genau so ein, wie er in „{{table}}“ steht.",
  isOn: "ist am",
  isOnOrAfter: "ist am oder nach dem",
  isOnOrBefore: "ist am oder vor dem",
  isChecked: "ist angekreuzt",
  isNotChecked: "ist nicht angekreuzt",
  openThisPage: "Öffnen Sie diese Seite von „{{table}}“ aus",
  openThisPageHelp:
    "Sie erstellt die Dokumente aller ihrer Datensätze auf einmal, bis zu 1.000 gleichzeitig. Speichern Sie sie als Lesezeichen, oder fügen Sie sie neben der Tabelle als Link oder Schaltfläche ein, etwa in einer Oberfläche oder einem Dashboard.",
  urlOfButton: "URL der Schaltfläche",
  couldntCreateButton: "Die Schaltfläche konnte nicht erstellt werden",
  createButton: "Schaltfläche erstellen",
  couldntLoadButton: "Die Schaltfläche konnte nicht geladen werden",
  thisButtonIsTurnedOff: "Diese Schaltfläche ist ausgeschaltet",
  createAnotherOne: "Weitere Schaltfläche erstellen",
  pasteThisIntoTitle: "Fügen Sie dies in {{title}} ein",
  urlForRecords:
    "URL. Hängen Sie die ID eines Datensatzes an, oder mehrere durch Kommas getrennt",
  buttonWasTurnedOff: "Die Schaltfläche wurde ausgeschaltet.",
  thisUrlIsSecret: "Diese URL ist geheim",
  urlSecretHelp:
    "Wer diese URL hat, kann dieses Dokument aus Datensätzen in „{{table}}“ erstellen, sonst nichts. Geben Sie sie nur an Personen weiter, die die Tabelle sehen dürfen. Sie ist nur in der Formel gespeichert.",
  urlOfManySecretHelp:
    "Wer diese URL hat, kann die Dokumente dieser Datensätze erstellen, sonst nichts. Geben Sie sie nur an Personen weiter, die „{{table}}“ sehen dürfen.",
  turnOffButton: "Schaltfläche ausschalten",
  turnOffButtonQuestion: "Die Schaltfläche ausschalten?",
  turnItOff: "Ausschalten",
  turnOffWarning:
    "Niemand kann damit dann noch Dokumente erstellen. Um sie zurückzuholen, erstellen Sie eine neue Schaltfläche und fügen Sie deren Formel ein.",
  airtableAddField:
    "Klicken Sie in der Tabelle „{{table}}“ nach dem letzten Feld auf <b>+</b> und wählen Sie <b>Button</b>.",
  giveItLabelNameAnd:
    "Geben Sie die Beschriftung „{{name}}“ ein und wählen Sie die Aktion <b>Open URL</b>.",
  pasteThisAsUrlFormula:
    "Fügen Sie dies als <b>URL formula</b> ein und klicken Sie auf <b>Create field</b>.",
  nocodbAddField:
    "Klicken Sie in der Tabelle „{{table}}“ nach dem letzten Feld auf <b>+</b> und wählen Sie <b>Button</b> mit der Aktion <b>Open URL</b>. (In älteren Versionen: <b>Formula</b>.)",
  pasteTextForThatKind:
    "Fügen Sie den Text für den gewählten Feldtyp ein und speichern Sie das Feld.",
  directusAddField:
    "Legen Sie im Datenmodell von „{{table}}“ ein Feld vom Typ <b>Buttons</b> an.",
  directusAddLink:
    "Fügen Sie einen Link mit der Beschriftung „{{name}}“ hinzu, fügen Sie dies als <b>URL</b> ein und speichern Sie das Feld.",
  directusKey:
    "Wenn der Primärschlüssel nicht <code>id</code> heißt, setzen Sie seinen Namen zwischen die Klammern.",
  sheetChooseCell:
    "Klicken Sie im Blatt „{{table}}“ auf eine leere Zelle in Zeile 2. Steht der Schlüssel des Datensatzes nicht in Spalte A, ändern Sie A2 in der Formel.",
  pasteThisAndPressEnter:
    "Fügen Sie dies ein und drücken Sie die Eingabetaste.",
  dragCornerOfCellDown:
    "Ziehen Sie die Ecke der Zelle bis zur letzten Zeile nach unten.",
  addLinkToRecords:
    "Fügen Sie diese URL neben jedem Datensatz in „{{table}}“ als Link ein, mit der ID des Datensatzes am Ende.",
  copyWhere: "Kopieren: {{where}}",
  pdf: "PDF",
  backToShort: "Zurück zu „{{short}}“",
  tableChanged:
    "Die Tabelle hat sich geändert und passt nicht mehr zu Ihrer Auswahl. Prüfen Sie die Felder und den Ort der Datei.",
  technicalDetails: "Technische Einzelheiten",
  planNeeded: "Schaltflächen gibt es im Premium- oder Enterprise-Tarif",
  planNeededHelp:
    "Ihre Organisation hat den Tarif {{plan}}. Sie können hier alles ausprobieren, aber keine Schaltfläche erstellen.",
  askOwnerToConnect:
    "Bitten Sie einen Eigentümer Ihrer Organisation, eine Tabelle zu verbinden.",
  whatDoYouWantTo: "Was möchten Sie verbinden?",
  couldntConnectToTitle: "{{title}} ist nicht erreichbar",
  fixAndConnect:
    "Beheben Sie das Problem oben und wählen Sie dann noch einmal „Verbinden“.",
  connect: "Verbinden",
  airtableOpenTokens:
    "Öffnen Sie <a>airtable.com/create/tokens</a> und klicken Sie auf <b>Create new token</b>.",
  airtableAddScopes:
    "Fügen Sie die Scopes <code>data.records:read</code>, <code>data.records:write</code> und <code>schema.bases:read</code> hinzu.",
  airtableAddBase:
    "Fügen Sie unter <b>Access</b> die Base mit Ihren Datensätzen hinzu.",
  copyTokenAndPasteIt: "Kopieren Sie das Token und fügen Sie es hier ein.",
  nocodbOpenTokens:
    "Klicken Sie in NocoDB auf Ihr Profilbild, dann auf <b>Account settings</b> und <b>Tokens</b>.",
  nocodbAddToken:
    "Klicken Sie auf <b>Add new API token</b> und fügen Sie das Token hier ein. Es hat dieselben Rechte wie Sie.",
  directusOpenUser:
    "Öffnen Sie in Directus das <b>User Directory</b> und einen Benutzer, dessen Richtlinie Ihre Sammlungen lesen, Einträge ändern und Dateien anlegen darf.",
  directusAddToken:
    "Klicken Sie bei <b>Token</b> auf das Plus, kopieren Sie das Token, speichern Sie den Benutzer und fügen Sie das Token hier ein.",
  sheetsShare:
    "Geben Sie die Tabelle für das Dienstkonto oder die Person frei, die die Einwilligung gibt, mit der Rolle „Mitbearbeiter“.",
  sheetsColumns:
    "Die erste Zeile muss die Spaltennamen enthalten, und eine Spalte namens <b>ID</b> muss in jeder Zeile einen anderen Wert haben.",
  sqlUser:
    "Verwenden Sie einen eigenen Datenbankbenutzer, der die Tabellen nur lesen und nur in die Spalten für Dateien schreiben kann.",
  couldntLoadFields: "Die Felder konnten nicht geladen werden",
  countFieldsToChoose_one: "{{count, number}} Feld auszuwählen",
  countFieldsToChoose_other: "{{count, number}} Felder auszuwählen",
  saveAndContinue: "Speichern und weiter",
  couldntSaveTemplate: "Die Vorlage konnte nicht gespeichert werden",
  readItAgain: "Neu laden",
  fieldsNotMapped: "Einige Felder der Vorlage sind noch nicht zugeordnet",
  fieldsNotMappedHelp:
    "Wählen Sie für {{labels}} ein Feld Ihrer Tabelle oder „Leer lassen“.",
  record: "Der Datensatz",
  filledFrom: "Aus der Tabelle <b>{{table}}</b> gefüllt",
  eachFilledFrom: "Jeweils aus der Tabelle <b>{{table}}</b> gefüllt",
  noTemplateFields: "Diese Vorlage hat keine Felder zum Ausfüllen.",
  oneLinkedRecord: "Ein verknüpfter Datensatz",
  linkedRecords: "Verknüpfte Datensätze",
  leaveItEmpty: "Leer lassen",
  noMatchingFieldInYour: "Kein passendes Feld in Ihrer Tabelle.",
  leftEmptyInDocument: "Bleibt im Dokument leer.",
  emptyInFirstRecord: "Im ersten Datensatz leer",
  versionNote: "Mit der Tabelle {{name}} in {{connectionName}} verbunden",
  continue: "Weiter",
  chooseFieldThatTakesFile: "Wählen Sie das Feld für die Datei.",
  chooseAtLeastOneKind: "Wählen Sie mindestens ein Dateiformat.",
  whereFileGoes: "Wohin die Datei kommt",
  storesFile: "{{native}}: speichert die Datei",
  storesLink: "{{native}}: speichert einen Link zur Datei",
  storesExpiringLink: "{{native}}: speichert einen Link, der abläuft",
  attachment: "Anhang",
  linkStays: "Der Link läuft nicht ab",
  linkStaysHelp:
    "Die Datei wird in Ihrem Konto gespeichert, und „{{name}}“ erhält einen Link darauf.",
  linkExpires_one: "Der Link läuft nach {{count, number}} Stunde ab",
  linkExpires_other: "Der Link läuft nach {{count, number}} Stunden ab",
  linkExpiresHelp:
    "Danach lässt sich die Datei aus „{{name}}“ nicht mehr öffnen. Um sie in der Tabelle zu behalten, wählen Sie eine Spalte, die die Datei selbst speichert.",
  dontSaveToTable: "Nicht in der Tabelle speichern",
  dontSaveHelp:
    "Sie wird auf der Seite heruntergeladen, die die Schaltfläche öffnet.",
  airtableAddFileField:
    "Fügen Sie der Tabelle in Airtable ein Feld vom Typ „Attachment“ hinzu und prüfen Sie dann erneut.",
  nocodbAddFileField:
    "Fügen Sie der Tabelle in NocoDB ein Feld vom Typ „Attachment“ hinzu und prüfen Sie dann erneut.",
  directusAddFileField:
    "Legen Sie in Directus in der Sammlung ein Feld vom Typ Files oder File an, oder geben Sie dem Benutzer des Tokens das Recht, Einträge zu ändern und Dateien anzulegen. Prüfen Sie dann erneut.",
  sheetsAddFileColumn:
    "Fügen Sie dem Blatt eine Spalte namens „PDF“ oder „Document“ hinzu und prüfen Sie dann erneut.",
  sqlAddFileColumn:
    "Die Verbindung muss Schreiben erlauben („writable“), und die Tabelle braucht eine Spalte für Binärdaten oder eine Link-Spalte, die in den Einstellungen der Verbindung genannt ist.",
  noFileField: "„{{name}}“ hat noch kein Feld für Dateien",
  addFileField:
    "Fügen Sie der Tabelle ein Dateifeld hinzu und prüfen Sie dann erneut.",
  checkAgain: "Erneut prüfen",
  imageOfFirstPage: "Bild der ersten Seite",
  webPageHtml: "Webseite (HTML)",
  kindOfFile: "Dateiformat",
  keepThem: "Behalten",
  replaceThem: "Ersetzen",
  filesThatAreThereAlready: "Vorhandene Dateien",
  connectYourSpreadsheet: "Verbinden Sie Ihre Tabelle",
  connectLead:
    "Platen liest daraus Ihre Datensätze und speichert fertige Dateien darin.",
  chooseTable: "Wählen Sie die Tabelle",
  tableLead: "Aus jedem Datensatz wird ein Dokument.",
  chooseTemplate: "Wählen Sie die Vorlage",
  templateLead: "Die Vorlage bestimmt, wie das Dokument aussieht.",
  fillTemplate: "Füllen Sie die Vorlage",
  fieldsLead: "Wählen Sie für jedes Feld der Vorlage ein Feld Ihrer Tabelle.",
  chooseWhereFileGoes: "Wählen Sie, wohin die Datei kommt",
  fileLead:
    "Das fertige Dokument wird in einem Feld seines Datensatzes gespeichert.",
  addButtonToYourTable: "Fügen Sie die Schaltfläche in Ihre Tabelle ein",
  buttonLead: "Ein Klick in Ihrer Tabelle erstellt das Dokument.",
  tryItWithOneRecord: "Probieren Sie es mit einem Datensatz",
  tryLead: "So entsteht ein echtes Dokument, genau wie mit der Schaltfläche.",
  couldntLoadYourBases: "Ihre Bases konnten nicht geladen werden",
  searchTablesAndFields: "Tabellen und Felder suchen",
  tables: "Tabellen",
  noTablesFound: "Keine Tabellen gefunden",
  noTablesHelp:
    "Geben Sie der Verbindung Zugriff auf eine Base mit Ihren Datensätzen.",
  countFields_one: "{{count, number}} Feld",
  countFields_other: "{{count, number}} Felder",
  fieldsOfName: "Felder von {{name}}",
  andMoreMore: "und {{more}} weitere",
  files: "Dateien",
  other: "Andere",
  createOneFromName: "Aus „{{name}}“ erstellen",
  fromTableHelp:
    "Der schnellste Anfang: eine Seite mit allen Feldern der Tabelle und ihren verknüpften Datensätzen, gefüllt mit Ihrem ersten Datensatz. Sie können später alles ändern.",
  createTemplateFromTable: "Vorlage aus der Tabelle erstellen",
  useOneOfYourTemplates: "Eine Ihrer Vorlagen verwenden",
  searchTemplatesByName: "Vorlagen nach Namen suchen",
  noMatchesForSearch: "Keine Treffer für „{{search}}“.",
  shownOfTotal:
    "{{maxShown, number}} von {{total, number}} werden angezeigt. Suchen Sie, um die übrigen zu finden.",
  startFromExample: "Mit einem Beispiel beginnen",
  goToBatches: "Zu den Stapeln",
  createDocumentForName: "Dokument für „{{name}}“ erstellen",
  chooseRecordOfName: "Wählen Sie einen Datensatz von „{{name}}“",
  searchByName: "Nach {{name}} suchen",
  couldntLoadRecords: "Die Datensätze konnten nicht geladen werden",
  tableHasNoRecordsYet: "Die Tabelle hat noch keine Datensätze.",
  chooseAnother: "Anderen auswählen",
  recordId: "ID des Datensatzes",
  recordIdHelp:
    "Diese Plattform lässt sich nicht durchsuchen. Kopieren Sie die ID des Datensatzes von dort.",
  couldntLoadProgress: "Der Fortschritt konnte nicht geladen werden",
  fileSavedToField: "Datei in „{{field}}“ gespeichert",
  notSavedToTable:
    "Das Dokument wurde erstellt, aber nicht in Ihrer Tabelle gespeichert",
  itWorks: "Es funktioniert",
  documentReady: "Das Dokument für „{{name}}“ ist fertig.",
  fileInField:
    "Die Datei ist im Feld „{{field}}“ von „{{name}}“ in „{{name2}}“.",
  openLabelSize: "{{label}} öffnen<span>{{size}}</span>",
  goToTemplate: "Zur Vorlage",
  onlyEditorsCanDoThis: "Das können nur Bearbeiter",
  youHaveReadOnlyAccess:
    "Sie können nur ansehen. Bitten Sie einen Eigentümer um die Rolle „Bearbeiter“.",
  steps: "Schritte",
  stepNumberOfLength: "Schritt {{number}} von {{length}}",
  emailChanged: "E-Mail, geändert {{ago}}",
  documentChanged: "Dokument, geändert {{ago}}",
  fieldWithType: "{{name}} ({{type}})",
} as const satisfies Translation<typeof en.wizard, "de">;
