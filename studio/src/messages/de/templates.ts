import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const templates = {
  couldntLoadTemplate: "Die Vorlage konnte nicht geladen werden",
  inTrash: "Im Papierkorb",
  unpublishedChanges: "Unveröffentlichte Änderungen",
  inactive: "Inaktiv",
  addButtonToYourSpreadsheet: "Schaltfläche in Ihre Tabelle einfügen",
  tryIt: "Ausprobieren",
  details: "Details",
  templateView: "Ansicht der Vorlage",
  copyId: "ID kopieren",
  idCopied: "ID kopiert.",
  state: "Zustand",
  active: "Aktiv",
  inactiveItCantBeRendered: "Inaktiv: kann keine Dokumente erstellen",
  latestVersion: "Neueste Version",
  dataSource: "Datenquelle",
  apiRequestsOnly: "Nur API-Anfragen",
  showDocuments: "Dokumente anzeigen",
  lastChanged: "Zuletzt geändert",
  noVersionsHelp: "Eine Version ist eine Momentaufnahme der Vorlage.",
  tryItVersionVersion: "Ausprobieren: Version {{version}}",
  favorites: "Favoriten",
  recentlyChanged: "Zuletzt geändert",
  lead: "Machen Sie aus Ihren Daten Dokumente und E-Mails.",
  newTemplate: "Neue Vorlage",
  filterTemplates: "Vorlagen filtern",
  couldntLoadTemplates: "Die Vorlagen konnten nicht geladen werden",
  trashEmptyHelp:
    "Vorlagen im Papierkorb bleiben hier, bis Sie sie wiederherstellen.",
  noFavoritesYet: "Noch keine Favoriten",
  starTemplateToFindIt:
    "Markieren Sie eine Vorlage mit dem Stern, um sie hier zu finden.",
  nothingInThisFolderYet: "In diesem Ordner ist noch nichts",
  emptyFolderHelp:
    "Ziehen Sie eine Vorlage auf den Ordner, oder wählen Sie in ihrem Menü „In Ordner verschieben“.",
  noTemplatesYet: "Noch keine Vorlagen",
  startWithBlankPageOr:
    "Beginnen Sie mit einer leeren Seite oder einem Beispiel.",
  changedTime: "Geändert {{time}}",
  noPreview: "Keine Vorschau",
  favoriteName: "Favorit: {{name}}",
  copyWasCreated: "{{name}} wurde aus {{original}} erstellt.",
  nameWasMovedToTrash: "{{name}} liegt jetzt im Papierkorb.",
  count_one: "{{count, number}} Vorlage",
  count_other: "{{count, number}} Vorlagen",
} as const satisfies Translation<typeof en.templates, "de">;

export const newTemplate = {
  emails: "E-Mails",
  onlyEditorsCanCreateTemplates: "Nur Bearbeiter können Vorlagen erstellen",
  askOwnerOfYourOrganization: "Fragen Sie einen Eigentümer Ihrer Organisation.",
  searchExamples: "Beispiele suchen",
  templateType: "Art der Vorlage",
  couldntLoadExamples: "Die Beispiele konnten nicht geladen werden",
  fromFile: "Aus einer Datei",
  untitled: "Unbenannt",
  createAndOpen: "Erstellen und öffnen",
  blankDocument: "Leeres Dokument",
  blankDocumentHelp:
    "Eine leere Seite für ein PDF: Briefe, Rechnungen, Etiketten.",
  blankEmail: "Leere E-Mail",
  blankEmailHelp:
    "Eine leere E-Mail, die in jedes Postfach und auf jedes Smartphone passt.",
  fromFileName: "Aus der Datei {{name}}.",
  notATemplate:
    "{{name}} ist keine Vorlage. Wählen Sie eine Datei, die mit „Als Datei speichern“ erstellt wurde.",
} as const satisfies Translation<typeof en.newTemplate, "de">;

export const render = {
  youHaveReadOnlyAccess: "Sie können nur ansehen",
  readOnlyHelp:
    "Um Dokumente zu erstellen, brauchen Sie die Rolle „Bearbeiter“. Fragen Sie einen Eigentümer Ihrer Organisation.",
  tryingVersionVersion: "Mit Version {{version}}",
  useCurrentTemplate: "Aktuelle Vorlage verwenden",
  creatingDocument: "Dokument wird erstellt …",
  createDocument: "Dokument erstellen",
  couldntCreateDocument: "Das Dokument konnte nicht erstellt werden",
  customJson: "Eigenes JSON",
  test: "Test <span>(mit Wasserzeichen, zählt nicht)</span>",
  dataJson: "Daten (JSON)",
  dataMustBeJsonObject: "Die Daten müssen ein JSON-Objekt sein: { … }.",
  thisIsntValidJsonYet: "Noch kein gültiges JSON: {{error}}",
  documentCreated: "Dokument erstellt",
  download: "Herunterladen",
} as const satisfies Translation<typeof en.render, "de">;

export const folders = {
  newFolder: "Neuer Ordner",
  folders: "Ordner",
  newSubfolder: "Neuer Unterordner",
  actionsForFolderName: "Aktionen für den Ordner {{name}}",
  deleteFolderName: "Den Ordner {{name}} löschen?",
  onlyEmptyFoldersCanBe: "Nur leere Ordner können gelöscht werden.",
  createFolder: "Ordner erstellen",
  moveName: "{{name}} verschieben",
  couldntLoadFolders: "Die Ordner konnten nicht geladen werden",
  allAssets: "Alle Medien",
} as const satisfies Translation<typeof en.folders, "de">;

export const assets = {
  chooseImage: "Bild auswählen",
  searchImages: "Bilder suchen",
  notImage: "{{name}} ist kein Bild",
  mismatchHelp:
    "Die Datei wurde hochgeladen, kann hier aber nicht verwendet werden.",
  couldntLoadLibrary: "Die Medien konnten nicht geladen werden",
  noImagesYet: "Noch keine Bilder",
  uploadOneOrDropFile: "Laden Sie eine Datei hoch, oder legen Sie sie hier ab.",
  images: "Bilder",
  videos: "Videos",
  pdfs: "PDFs",
  noImage: "Kein Bild",
  uploadInterrupted:
    "Das Hochladen wurde unterbrochen. Versuchen Sie es erneut.",
  uploads: "Hochgeladene Dateien",
  uploadOfName: "Hochladen von {{name}}",
  uploadNameAgain: "{{name}} erneut hochladen",
  dismissName: "{{name}} ausblenden",
  upload: "Hochladen",
  lead: "Bilder, Schriften, Videos und PDFs für Ihre Vorlagen.",
  searchByName: "Nach Namen suchen",
  filterAssets: "Medien filtern",
  couldntLoadAssets: "Die Medien konnten nicht geladen werden",
  noMatchesForQ: "Keine Treffer für „{{q}}“",
  trashIsEmpty: "Der Papierkorb ist leer",
  trashEmptyHelp:
    "Dateien im Papierkorb bleiben hier, bis Sie sie wiederherstellen oder löschen.",
  noAssetsYet: "Noch keine Medien",
  noAssetsInFolder: "Noch keine Medien in diesem Ordner",
  dropFilesHereOrSelect:
    "Legen Sie Dateien hier ab, oder wählen Sie „Hochladen“.",
  askEditorToUpload:
    "Bitten Sie einen Bearbeiter Ihrer Organisation, welche hochzuladen.",
  fontDetails: "{{family}}, Stärke {{weight}}, {{style}}",
  useInTemplate: "In einer Vorlage verwenden",
  anyoneWithThisUrlCan:
    "Wer diese URL hat, kann die Datei ohne Anmeldung öffnen.",
  openFile: "Datei öffnen",
  copyTemplateReference: "Verweis für Vorlagen kopieren",
  copyUrl: "URL kopieren",
  urlCopied: "URL kopiert.",
  nameWasMovedToTrash:
    "{{name}} liegt jetzt im Papierkorb. Vorlagen, die die Datei verwenden, zeigen sie weiterhin.",
  nameWasRestored: "{{name}} wurde wiederhergestellt.",
  deletePermanently: "Endgültig löschen",
  deleteNamePermanently: "{{name}} endgültig löschen?",
  deleteWarning:
    "Die Datei wird gelöscht. Das lässt sich nicht rückgängig machen.",
  chooseFont: "Schrift auswählen",
  chooseVideo: "Video auswählen",
  choosePdf: "PDF auswählen",
  searchFonts: "Schriften suchen",
  searchVideos: "Videos suchen",
  searchPdfs: "PDFs suchen",
  notFont: "{{name}} ist keine Schrift",
  notVideo: "{{name}} ist kein Video",
  notPdf: "{{name}} ist kein PDF",
  noFontsYet: "Noch keine Schriften",
  noVideosYet: "Noch keine Videos",
  noPdfsYet: "Noch keine PDFs",
  noImagesInFolder: "Noch keine Bilder in diesem Ordner",
  noFontsInFolder: "Noch keine Schriften in diesem Ordner",
  noVideosInFolder: "Noch keine Videos in diesem Ordner",
  noPdfsInFolder: "Noch keine PDFs in diesem Ordner",
  video: "Video",
} as const satisfies Translation<typeof en.assets, "de">;

export const firstSteps = {
  title: "Erste Schritte",
  lead: "In vier Schritten von der leeren Seite zum ersten Dokument.",
  progress: "{{done}} von {{total}} erledigt",
  hideAll: "Erste Schritte ausblenden",
  done: "Erledigt",
  template: "Beispiel auswählen",
  templateHelp:
    "Beginnen Sie mit einer Rechnung, einem Brief, einer E-Mail oder einer leeren Seite.",
  data: "Eigene Daten einsetzen",
  dataHelp:
    "Fügen Sie einen Datensatz oder Zeilen aus einer Tabelle ein und verwenden Sie deren Felder.",
  document: "PDF erstellen",
  documentHelp: "Erstellen Sie ein Dokument und öffnen Sie die Datei.",
  connection: "Verbinden oder teilen",
  connectionHelp:
    "Fügen Sie eine Schaltfläche in Ihre Tabelle ein, verbinden Sie einen KI-Assistenten oder laden Sie jemanden ein.",
  allDone: "Alles erledigt",
  allDoneHelp:
    "Sie haben Ihr erstes Dokument erstellt. Mehr erfahren Sie in der Dokumentation.",
  readDocs: "Dokumentation lesen",
} as const satisfies Translation<typeof en.firstSteps, "de">;
