import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const blocks = {
  title: "Wiederverwendbare Blöcke",
  lead: "Teile, die mehrere Vorlagen gemeinsam haben, etwa ein Briefkopf oder Zahlungsangaben. Eine Änderung erscheint in allen.",
  couldntLoad: "Die Blöcke konnten nicht geladen werden",
  noBlocksYet: "Noch keine wiederverwendbaren Blöcke",
  noBlocksHelp:
    "Öffnen Sie eine Vorlage, wählen Sie eine Kopfzeile, eine Fußzeile oder einen anderen Teil aus und klicken Sie auf „Als Block speichern“.",
  notUsed: "Noch nicht verwendet",
  usedBy_one: "In {{count, number}} Vorlage verwendet",
  usedBy_other: "In {{count, number}} Vorlagen verwendet",
  inDraft: "{{name}} (Entwurf)",
  changedDate: "Geändert am {{date}}",
  actionsFor: "Aktionen für {{title}}",
  deleted: "„{{title}}“ wurde gelöscht",
  deleteHelp:
    "Das lässt sich nicht rückgängig machen. Blöcke, die Vorlagen verwenden, können nicht gelöscht werden.",
  blocks: "Blöcke",
  block: "Block",
  blockPurpose: "Ein Teil, den mehrere Vorlagen gemeinsam haben",
  blockMissing: "Den Block „{{name}}“ gibt es nicht",
  blockMissingHelp:
    "Löschen Sie dieses Element oder speichern Sie einen Block mit diesem Namen.",
  blockEmpty: "Dieser Block ist leer",
  changesAppearEverywhere:
    "Änderungen am Block erscheinen in allen Vorlagen, die ihn verwenden.",
  editBlock: "Block bearbeiten",
  detach: "Ablösen",
  detachHelp: "Macht daraus eine Kopie, die nur zu dieser Vorlage gehört.",
  detachTitle: "„{{title}}“ ablösen",
  saveAsBlock: "Als Block speichern",
  saveAsBlockHelp:
    "Danach können ihn alle Vorlagen verwenden. Änderungen am Block erscheinen in jeder von ihnen.",
  blockSaved: "Als Block „{{title}}“ gespeichert",
  selectWhole:
    "Wählen Sie die ganze Tabelle, Liste oder Spaltenzeile aus, um sie als Block zu speichern.",
  selectNeighbors:
    "Wählen Sie Elemente aus, die nebeneinander stehen, um sie als einen Block zu speichern.",
  noBlockInBlock:
    "Ein Block kann keinen anderen Block enthalten. Lösen Sie den inneren zuerst ab.",
  couldntOpen: "Der Block konnte nicht geöffnet werden",
  backToBlocks: "Zurück zu den Blöcken",
  unsavedChanges: "Nicht gespeicherte Änderungen",
  nothingToSave: "Keine Änderungen zu speichern",
  savedEverywhere_one:
    "Gespeichert. {{count, number}} Vorlage wurde aktualisiert.",
  savedEverywhere_other:
    "Gespeichert. {{count, number}} Vorlagen wurden aktualisiert.",
} as const satisfies Translation<typeof en.blocks, "de">;

export const brand = {
  title: "Marke",
  lead: "Ihre Farben, Schriften und Ihr Logo. Neue Vorlagen aus Beispielen verwenden sie, und der Editor schlägt sie zuerst vor.",
  couldntLoad: "Die Marke konnte nicht geladen werden",
  primary: "Hauptfarbe",
  muted: "Nebentext",
  background: "Hintergrund",
  colors: "Farben",
  fonts: "Schriften",
  headingFont: "Überschriften",
  logo: "Logo",
  textStyles: "Textstile",
  textStylesHelp:
    "Benannte Stile, etwa für eine Anmerkung oder eine Beschriftung. Neue Vorlagen aus Beispielen enthalten sie.",
  addTextStyle: "Textstil hinzufügen",
  styleNameHelp: "Buchstaben, Ziffern und Bindestriche.",
  sizeOf: "Größe von {{name}}",
  weightOf: "Stärke von {{name}}",
  colorOf: "Farbe von {{name}}",
  samplePage: "Eine Seite in Ihrer Marke",
  sampleHelp: "Eine Seite in Ihrer Marke, wie sie gedruckt wird.",
  sampleHeading: "Ihre Überschrift",
  sampleText:
    "So sieht der Text Ihrer Dokumente aus, in Ihrer Schrift und Ihrer Farbe.",
  sampleNote: "Nebentext, etwa eine Anmerkung oder eine Beschriftung.",
  whichFollow: "Vorhandene Vorlagen aktualisieren?",
  whichFollowHelp:
    "Diese Vorlagen verwenden die bisherigen Farben, Schriften, Textstile oder das bisherige Logo. Die ausgewählten erhalten die neuen als neue Version.",
  saveAndChange_one: "Speichern und {{count, number}} Vorlage ändern",
  saveAndChange_other: "Speichern und {{count, number}} Vorlagen ändern",
  saved_one: "Gespeichert. {{count, number}} Vorlage wurde geändert.",
  saved_other: "Gespeichert. {{count, number}} Vorlagen wurden geändert.",
  someFailed:
    "Gespeichert, aber diese Vorlagen konnten nicht geändert werden: {{names}}",
} as const satisfies Translation<typeof en.brand, "de">;
