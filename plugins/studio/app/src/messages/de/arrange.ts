import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const arrange = {
  withMouse: "Mit der Maus",
  inText: "In einem Text",
  addOrRemove: "Auswahl erweitern oder verkleinern",
  selectArea: "Alles in einem Bereich auswählen",
  menu: "Menü öffnen",
  insertField: "Feld einfügen",
  boldItalicUnderline: "Fett, kursiv, unterstrichen",
  leaveText: "Text verlassen",
  keyClick: "Klick",
  keyDoubleClick: "Doppelklick",
  keyRightClick: "Rechtsklick",
  keyDragFromEmpty: "Von einer leeren Stelle ziehen",
} as const satisfies Translation<typeof en.arrange, "de">;
