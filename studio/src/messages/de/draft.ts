import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const draft = {
  chooseWhatToKeep:
    "Alle übrigen Änderungen wurden zusammengeführt. Wählen Sie, was bleibt:",
  takeAllOfTheirs: "Alles von anderen behalten",
  keepAllOfMine: "Alles von mir behalten",
  merge: "Zusammenführen",
  conflictWithPublished:
    "Ihre Änderungen stehen im Konflikt mit der veröffentlichten Version",
  conflictInText: "Sie und {{name}} haben denselben Text bearbeitet",
  conflictInTextWithOther:
    "Sie und jemand anderes haben denselben Text bearbeitet",
  conflictInProperties:
    "Sie und {{name}} haben dieselben Eigenschaften bearbeitet",
  conflictInPropertiesWithOther:
    "Sie und jemand anderes haben dieselben Eigenschaften bearbeitet",
  ownConflictInText: "Sie haben denselben Text in einem anderen Tab bearbeitet",
  ownConflictInProperties:
    "Sie haben dieselben Eigenschaften in einem anderen Tab bearbeitet",
  template: "Die Vorlage",
  mine: "Meine",
  fromName: "Von {{name}}",
  fromOther: "Von jemand anderem",
  fromOtherTab: "Aus dem anderen Tab",
  fromPublishedVersion: "Aus der veröffentlichten Version",
  both: "Beide",
  bothTextsMineFirst: "Beide Texte, meiner zuerst",
  component: "Ein Element",
  onPage: "Auf der Seite",
  inHeader: "In der Kopfzeile",
  inFooter: "In der Fußzeile",
  inFirstPageHeader: "In der Kopfzeile der ersten Seite",
  inFirstPageFooter: "In der Fußzeile der ersten Seite",
  inOwner: "In {{id}}",
  eachOfValue: "Jeder Eintrag von {{value}}",
  groupOfRules: "eine Gruppe von Regeln",
  countRules_one: "{{count, number}} Regel: {{rules}}",
  countRules_other: "{{count, number}} Regeln: {{rules}}",
  discardChanges: "Die Änderungen verwerfen",
  resolveConflictsFirst: "Lösen Sie zuerst die Konflikte.",
  othersAreEditing:
    "Andere bearbeiten diese Vorlage gerade. Versuchen Sie es erneut.",
  keptDeleted:
    "Jemand hat etwas gelöscht, das jemand anderes bearbeitet hat. Es bleibt daher erhalten.",
  tryNow: "Jetzt versuchen",
  keptUntilSaved:
    "{{why}} Die Änderungen bleiben in diesem Browser, bis sie gespeichert werden können.",
  lastChangesNotSaved: "Ihre letzten Änderungen sind nicht gespeichert.",
  outdatedNotice:
    "<strong>Eine neuere Version wurde veröffentlicht.</strong> Führen Sie sie mit Ihrem Entwurf zusammen und veröffentlichen Sie dann.",
  outdatedByYou:
    "<strong>Sie haben in einem anderen Tab oder im Assistenten eine neuere Version veröffentlicht.</strong> Führen Sie sie mit Ihrem Entwurf zusammen und veröffentlichen Sie dann.",
  outdatedByName:
    "<strong>{{name}} hat eine neuere Version veröffentlicht.</strong> Führen Sie sie mit Ihrem Entwurf zusammen und veröffentlichen Sie dann.",
  outdatedByProgram:
    "<strong>Ein Programm hat eine neuere Version veröffentlicht.</strong> Führen Sie sie mit Ihrem Entwurf zusammen und veröffentlichen Sie dann.",
  outdatedByAssistant:
    "<strong>Ein KI-Assistent hat eine neuere Version veröffentlicht.</strong> Führen Sie sie mit Ihrem Entwurf zusammen und veröffentlichen Sie dann.",
  inTrashNotice:
    "<strong>Diese Vorlage liegt im Papierkorb.</strong> Bis Sie sie wiederherstellen, kann sie keine Dokumente erstellen. Ihre Änderungen werden trotzdem gespeichert.",
  viewerNotice:
    "<strong>Sie sind jetzt Betrachter.</strong> Sie können diese Vorlage ansehen, aber nicht ändern. Bitten Sie einen Eigentümer Ihrer Organisation um die Rolle „Bearbeiter“.",
  restoredFromTrash:
    "Diese Vorlage wurde aus dem Papierkorb wiederhergestellt.",
  nameIsEditing: "{{name}} bearbeitet diese Vorlage auch gerade.",
  someoneIsEditing: "Jemand anderes bearbeitet diese Vorlage auch gerade.",
  youEditInOtherTab: "Sie bearbeiten diese Vorlage auch in einem anderen Tab.",
  problemsToFixFirst_one: "Zuerst {{count, number}} Problem beheben",
  problemsToFixFirst_other: "Zuerst {{count, number}} Probleme beheben",
  cannotPublishHelp:
    "Diese Vorlage kann noch keine Dokumente erstellen. Ihre Änderungen sind gespeichert.",
  problemsToFix_one: "{{count, number}} Problem zu beheben",
  problemsToFix_other: "{{count, number}} Probleme zu beheben",
  publish: "Veröffentlichen",
  mergeBeforePublishing:
    "Eine neuere Version wurde veröffentlicht: Führen Sie sie zuerst zusammen",
  noChanges: "Keine Änderungen seit der Veröffentlichung",
  publishedAsVersionVersion: "Als Version {{version}} veröffentlicht",
  published: "Veröffentlicht",
  notPublishedYet: "Noch nicht veröffentlicht",
  versionVersionSaved: "Version {{version}} gespeichert",
  publishChanges: "Änderungen veröffentlichen",
  saveVersion: "Version speichern",
  publishHelp: "Neue Dokumente sehen dann so aus wie hier gezeigt.",
  saveVersionHelp:
    "Sie können diese Version später vergleichen und wiederherstellen.",
  saveVersionNext: "Version {{next}} speichern",
  whatChangedOptional: "Was sich geändert hat (optional)",
  design: "Gestaltung",
  json: "JSON",
  backToTemplate: "Zurück zur Vorlage",
  undoStep: "Rückgängig: {{step}}",
  redoStep: "Wiederholen: {{step}}",
  notSavedRetrying: "Nicht gespeichert. Neuer Versuch …",
  viewOnly: "Nur ansehen",
  notSavedConflict: "Nicht gespeichert: Lösen Sie zuerst den Konflikt",
  saving: "Wird gespeichert …",
  saved: "Gespeichert",
  savedAgo: "Gespeichert {{ago}}",
  namePlaten: "{{name}} · Platen",
  nameOfTemplate: "Name der Vorlage",
  couldntRename: "Die Vorlage konnte nicht umbenannt werden: {{error}}",
  discardChangesAction: "Änderungen verwerfen",
  moreForThisTemplate: "Weitere Aktionen",
  tryItWithData: "Mit Daten ausprobieren",
  changesDiscarded: "Änderungen verworfen. Sie können das rückgängig machen.",
  discardChangesQuestion: "Alle Änderungen verwerfen?",
  keepChanges: "Änderungen behalten",
  discardWarning:
    "Der Entwurf entspricht dann für alle, die ihn bearbeiten, wieder der veröffentlichten Version.",
  keptUntilYouSignIn:
    "Sie bleiben in diesem Tab und werden gespeichert, wenn Sie sich wieder anmelden.",
  keptUntilNameSignsIn:
    "Sie bleiben in diesem Tab und werden gespeichert, wenn sich {{name}} wieder anmeldet.",
  saveAsVersion: "Als Version {{next}} speichern",
  compareOrRestoreLater:
    "Sie können sie später vergleichen oder wiederherstellen.",
  stillUsingVersion:
    "Links, Schaltflächen und Stapel verwenden weiterhin Version {{version}}.",
  savedByName: "Gespeichert von {{name}}",
} as const satisfies Translation<typeof en.draft, "de">;

export const edits = {
  thereIsNothingToPaste: "Es gibt nichts einzufügen.",
  type: "Tippen",
  duplicateComponent: "„{{component}}“ duplizieren",
  duplicateComponents_one: "{{count, number}} Element duplizieren",
  duplicateComponents_other: "{{count, number}} Elemente duplizieren",
  cannotPlaceHere: "{{component}} lässt sich hier nicht einfügen.",
  needsTable:
    "{{component}} gehört in eine Tabelle. Wählen Sie eine aus und fügen Sie noch einmal ein.",
  needsRow:
    "{{component}} gehört in eine Zeile einer Tabelle. Wählen Sie eine aus und fügen Sie noch einmal ein.",
  needsColumns:
    "{{component}} gehört in Spalten. Wählen Sie welche aus und fügen Sie noch einmal ein.",
  needsList:
    "{{component}} gehört in eine Liste. Wählen Sie eine aus und fügen Sie noch einmal ein.",
  clipboardHasNoComponents:
    "Die Zwischenablage enthält keine Elemente einer Vorlage.",
  clipboardItemWithoutType:
    "Die Zwischenablage enthält einen Eintrag ohne Typ.",
  unknownComponentTypeType: "Unbekannter Elementtyp „{{type}}“.",
  needsProperty: "{{component}} braucht „{{missing}}“.",
  hasNoComponents: "{{component}} enthält keine Liste von Elementen.",
  addComponent: "„{{component}}“ hinzufügen",
  deleteComponent: "„{{component}}“ löschen",
  deleteComponents_one: "{{count, number}} Element löschen",
  deleteComponents_other: "{{count, number}} Elemente löschen",
  moveComponent: "„{{component}}“ verschieben",
  moveComponents_one: "{{count, number}} Element verschieben",
  moveComponents_other: "{{count, number}} Elemente verschieben",
  fieldInserted: "{{field}} in den Text eingefügt",
  addHeaderOrFooter: "Kopf- oder Fußzeile hinzufügen",
  deleteHeaderOrFooter: "Kopf- oder Fußzeile löschen",
  firstPageHeader: "Kopfzeile der ersten Seite",
  firstPageFooter: "Fußzeile der ersten Seite",
  whenListIsEmpty: "Wenn die Liste leer ist",
  otherwiseOfComponent: "{{component}}, sonst",
  whenListOfComponentIsEmpty: "{{component}}, wenn die Liste leer ist",
  youCanOnlyViewThis: "Sie können diese Vorlage nur ansehen.",
  notMovedFirst: "{{component}} nicht verschoben: steht schon an erster Stelle",
  notMovedLast: "{{component}} nicht verschoben: steht schon an letzter Stelle",
  notMovedOut:
    "{{component}} nicht verschoben: bleibt im übergeordneten Element",
  notMovedIn: "{{component}} nicht verschoben: kein Nachbar kann es aufnehmen",
  deleteRow: "Zeile löschen",
  deleteColumn: "Spalte löschen",
  onlyInDocuments: "{{component}} gibt es nur in Dokumenten.",
  onlyInEmails: "{{component}} gibt es nur in E-Mails.",
} as const satisfies Translation<typeof en.edits, "de">;
