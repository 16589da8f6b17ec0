import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const arrange = {
  withMouse: "Avec la souris",
  inText: "Dans un texte",
  addOrRemove: "Ajouter à la sélection ou en retirer",
  selectArea: "Tout sélectionner dans une zone, depuis un endroit vide",
  menu: "Ouvrir le menu",
  insertField: "Insérer un champ",
  boldItalicUnderline: "Gras, italique, souligné",
  leaveText: "Quitter le texte",
  keyClick: "Clic",
  keyDoubleClick: "Double-clic",
  keyRightClick: "Clic droit",
  keyMenu: "Touche Menu",
  wrap: "Placer dans {{component}}",
  onlyInBand:
    "{{component}} n’est autorisé que dans un en-tête ou un pied de page.",
  notInBand:
    "{{component}} n’est pas autorisé dans un en-tête ou un pied de page.",
  onlyAtTop: "{{component}} n’est autorisé que directement dans l’e-mail.",
  onlyInParent: "{{component}} n’est autorisé que dans : {{parent}}.",
  onlyContains: "{{parent}} ne peut contenir que : {{component}}.",
  pasteWithKeys:
    "Votre navigateur ne permet pas de coller depuis les menus. Appuyez sur Ctrl V.",
  moreForSelection: "Autres actions pour la sélection",
  actions: "Actions pour la sélection",
  editText: "Modifier le texte",
  paste: "Coller",
  wrapInBox: "Placer dans un cadre",
  wrapInColumns: "Placer dans des colonnes",
  sideBySide: "Placer côte à côte",
  repeat: "Répéter…",
  showOnlyIf: "Afficher seulement si…",
  saveStyle: "Enregistrer comme style…",
  notMovedBecause: "{{component}} n’a pas été déplacé. {{reason}}",
  staysInRow: "Une cellule ne peut être déplacée que dans sa ligne.",
  notIntoItself: "{{component}} ne peut pas être déplacé dans lui-même.",
  resizeColumns: "Modifier la largeur des colonnes",
  equalWidths: "Égaliser la largeur des colonnes",
  resizeComponent: "Redimensionner « {{component}} »",
  resizeHelp:
    "Glissez pour modifier les largeurs, double-cliquez pour les égaliser",
  resizeFreely: "Redimensionner sans aligner",
  keyDrag: "Glisser",
} as const satisfies Translation<typeof en.arrange, "fr">;
