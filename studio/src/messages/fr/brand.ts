import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const blocks = {
  title: "Blocs réutilisables",
  lead: "Des parties que plusieurs modèles partagent, comme un en-tête ou les coordonnées bancaires. Une modification apparaît dans tous.",
  couldntLoad: "Impossible de charger les blocs",
  noBlocksYet: "Aucun bloc réutilisable pour le moment",
  noBlocksHelp:
    "Ouvrez un modèle, sélectionnez un en-tête, un pied de page ou une autre partie, puis choisissez « Enregistrer comme bloc ».",
  notUsed: "Pas encore utilisé",
  usedBy_one: "Utilisé par {{count, number}} modèle",
  usedBy_many: "Utilisé par {{count, number}} modèles",
  usedBy_other: "Utilisé par {{count, number}} modèles",
  inDraft: "{{name}} (brouillon)",
  changedDate: "Modifié le {{date}}",
  actionsFor: "Actions pour {{title}}",
  deleted: "« {{title}} » a été supprimé",
  deleteHelp:
    "Cette action est définitive. Les blocs utilisés par des modèles ne peuvent pas être supprimés.",
  blocks: "Blocs",
  block: "Bloc",
  blockPurpose: "Une partie que plusieurs modèles partagent",
  blockMissing: "Le bloc « {{name}} » n’existe pas",
  blockMissingHelp: "Supprimez ce composant ou enregistrez un bloc de ce nom.",
  blockEmpty: "Ce bloc est vide",
  changesAppearEverywhere:
    "Les modifications du bloc apparaissent dans tous les modèles qui l’utilisent.",
  editBlock: "Modifier le bloc",
  detach: "Détacher",
  detachHelp: "En fait une copie propre à ce modèle.",
  detachTitle: "Détacher « {{title}} »",
  saveAsBlock: "Enregistrer comme bloc",
  saveAsBlockHelp:
    "Tous les modèles pourront l’utiliser. Les modifications du bloc apparaissent dans chacun d’eux.",
  blockSaved: "Enregistré comme bloc « {{title}} »",
  selectWhole:
    "Sélectionnez le tableau, la liste ou la rangée de colonnes en entier pour l’enregistrer comme bloc.",
  selectNeighbors:
    "Sélectionnez des composants voisins pour les enregistrer comme un seul bloc.",
  noBlockInBlock:
    "Un bloc ne peut pas en contenir un autre. Détachez d’abord celui qu’il contient.",
  couldntOpen: "Impossible d’ouvrir le bloc",
  backToBlocks: "Retour aux blocs",
  unsavedChanges: "Modifications non enregistrées",
  nothingToSave: "Aucune modification à enregistrer",
  savedEverywhere_one: "Enregistré. {{count, number}} modèle a été mis à jour.",
  savedEverywhere_many:
    "Enregistré. {{count, number}} modèles ont été mis à jour.",
  savedEverywhere_other:
    "Enregistré. {{count, number}} modèles ont été mis à jour.",
} as const satisfies Translation<typeof en.blocks, "fr">;

export const brand = {
  title: "Marque",
  lead: "Vos couleurs, vos polices et votre logo. Les nouveaux modèles créés à partir d’un exemple les reprennent, et l’éditeur les propose en premier.",
  couldntLoad: "Impossible de charger la marque",
  primary: "Principale",
  muted: "Texte secondaire",
  background: "Arrière-plan",
  colors: "Couleurs",
  fonts: "Polices",
  headingFont: "Titres",
  logo: "Logo",
  textStyles: "Styles de texte",
  textStylesHelp:
    "Des styles nommés, par exemple pour une note ou une étiquette. Les nouveaux modèles créés à partir d’un exemple les reprennent.",
  addTextStyle: "Ajouter un style de texte",
  styleNameHelp: "Lettres, chiffres et traits d’union.",
  sizeOf: "Taille de {{name}}",
  weightOf: "Graisse de {{name}}",
  colorOf: "Couleur de {{name}}",
  samplePage: "Une page à votre marque",
  sampleHelp: "Une page à votre marque, telle qu’elle s’imprime.",
  sampleHeading: "Votre titre",
  sampleText:
    "Voici le texte de vos documents, dans votre police et votre couleur.",
  sampleNote: "Texte secondaire, comme une note ou une étiquette.",
  whichFollow: "Mettre à jour les modèles existants ?",
  whichFollowHelp:
    "Ces modèles utilisent les couleurs, polices, styles de texte ou le logo précédents. Ceux que vous choisissez reçoivent les nouveaux, dans une nouvelle version.",
  saveAndChange_one: "Enregistrer et modifier {{count, number}} modèle",
  saveAndChange_many: "Enregistrer et modifier {{count, number}} modèles",
  saveAndChange_other: "Enregistrer et modifier {{count, number}} modèles",
  saved_one: "Enregistré. {{count, number}} modèle a été modifié.",
  saved_many: "Enregistré. {{count, number}} modèles ont été modifiés.",
  saved_other: "Enregistré. {{count, number}} modèles ont été modifiés.",
  someFailed:
    "Enregistré, mais ces modèles n’ont pas pu être modifiés : {{names}}",
} as const satisfies Translation<typeof en.brand, "fr">;
