import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const arrange = {
  withMouse: "Avec la souris",
  inText: "Dans un texte",
  addOrRemove: "Ajouter à la sélection ou en retirer",
  selectArea: "Sélectionner tout dans une zone",
  menu: "Ouvrir le menu",
  insertField: "Insérer un champ",
  boldItalicUnderline: "Gras, italique, souligné",
  leaveText: "Quitter le texte",
  keyClick: "Clic",
  keyDoubleClick: "Double-clic",
  keyRightClick: "Clic droit",
  keyDragFromEmpty: "Glisser depuis un endroit vide",
} as const satisfies Translation<typeof en.arrange, "fr">;
