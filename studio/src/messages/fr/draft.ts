import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const draft = {
  chooseWhatToKeep:
    "Tous les autres changements ont été fusionnés. Choisissez ce que vous gardez :",
  takeAllOfTheirs: "Garder les leurs",
  keepAllOfMine: "Garder les miens",
  merge: "Fusionner",
  conflictWithPublished:
    "Vos changements sont en conflit avec la version publiée",
  conflictInText: "{{name}} et vous avez modifié le même texte",
  conflictInTextWithOther:
    "Une autre personne et vous avez modifié le même texte",
  conflictInProperties: "{{name}} et vous avez modifié les mêmes propriétés",
  conflictInPropertiesWithOther:
    "Une autre personne et vous avez modifié les mêmes propriétés",
  ownConflictInText: "Vous avez modifié le même texte dans un autre onglet",
  ownConflictInProperties:
    "Vous avez modifié les mêmes propriétés dans un autre onglet",
  template: "Le modèle",
  mine: "De vous",
  fromName: "De {{name}}",
  fromOther: "D’une autre personne",
  fromOtherTab: "De l’autre onglet",
  fromPublishedVersion: "De la version publiée",
  both: "Les deux",
  bothTextsMineFirst: "Les deux textes, le vôtre en premier",
  component: "Un composant",
  onPage: "Sur la page",
  inHeader: "Dans l’en-tête",
  inFooter: "Dans le pied de page",
  inFirstPageHeader: "Dans l’en-tête de la première page",
  inFirstPageFooter: "Dans le pied de la première page",
  inOwner: "Dans « {{id}} »",
  eachOfValue: "Chaque élément de {{value}}",
  groupOfRules: "un groupe de règles",
  countRules_one: "{{count, number}} règle : {{rules}}",
  countRules_many: "{{count, number}} de règles : {{rules}}",
  countRules_other: "{{count, number}} règles : {{rules}}",
  discardChanges: "Abandonner les changements",
  resolveConflictsFirst: "Résolvez d’abord les conflits.",
  othersAreEditing: "D’autres personnes modifient ce modèle. Réessayez.",
  keptDeleted:
    "L’un de vous a supprimé un élément que l’autre a modifié ; il a été conservé.",
  tryNow: "Essayer maintenant",
  keptUntilSaved:
    "{{why}} Ils restent dans ce navigateur jusqu’à leur enregistrement.",
  lastChangesNotSaved: "Vos derniers changements ne sont pas enregistrés.",
  outdatedNotice:
    "<strong>Une version plus récente a été publiée.</strong> Fusionnez-la avec votre brouillon, puis publiez.",
  outdatedByYou:
    "<strong>Vous avez publié une version plus récente dans un autre onglet ou dans l’assistant de configuration.</strong> Fusionnez-la avec votre brouillon, puis publiez.",
  outdatedByName:
    "<strong>{{name}} a publié une version plus récente.</strong> Fusionnez-la avec votre brouillon, puis publiez.",
  outdatedByProgram:
    "<strong>Un programme a publié une version plus récente.</strong> Fusionnez-la avec votre brouillon, puis publiez.",
  outdatedByAssistant:
    "<strong>Un assistant IA a publié une version plus récente.</strong> Fusionnez-la avec votre brouillon, puis publiez.",
  inTrashNotice:
    "<strong>Ce modèle est à la corbeille.</strong> Il ne peut pas créer de documents tant que vous ne le restaurez pas. Vos changements sont tout de même enregistrés.",
  viewerNotice:
    "<strong>Vous avez maintenant le rôle Lecteur.</strong> Vous pouvez consulter ce modèle, mais pas le modifier. Demandez le rôle Éditeur à un propriétaire de votre organisation.",
  restoredFromTrash: "Ce modèle est sorti de la corbeille.",
  nameIsEditing: "{{name}} modifie aussi ce modèle.",
  someoneIsEditing: "Une autre personne modifie aussi ce modèle.",
  youEditInOtherTab: "Vous modifiez aussi ce modèle dans un autre onglet.",
  problemsToFixFirst_one: "{{count, number}} problème à corriger d’abord",
  problemsToFixFirst_many: "{{count, number}} de problèmes à corriger d’abord",
  problemsToFixFirst_other: "{{count, number}} problèmes à corriger d’abord",
  cannotPublishHelp:
    "Ce modèle ne peut pas encore créer de documents. Vos changements sont enregistrés.",
  problemsToFix_one: "{{count, number}} problème à corriger",
  problemsToFix_many: "{{count, number}} de problèmes à corriger",
  problemsToFix_other: "{{count, number}} problèmes à corriger",
  publish: "Publier",
  mergeBeforePublishing:
    "Une version plus récente a été publiée : fusionnez-la d’abord",
  noChanges: "Aucun changement depuis la publication",
  publishedAsVersionVersion: "Publié : version {{version}}",
  published: "Publié",
  notPublishedYet: "Pas encore publié",
  versionVersionSaved: "Version {{version}} enregistrée",
  publishChanges: "Publier les changements",
  saveVersion: "Enregistrer une version",
  publishHelp: "Les nouveaux documents auront l’aspect affiché ici.",
  saveVersionHelp: "Vous pourrez comparer et restaurer cette version.",
  saveVersionNext: "Enregistrer la version {{next}}",
  whatChangedOptional: "Ce qui a changé (facultatif)",
  design: "Conception",
  json: "JSON",
  backToTemplate: "Retour au modèle",
  undoStep: "Annuler : {{step}}",
  redoStep: "Rétablir : {{step}}",
  notSavedRetrying: "Non enregistré. Nouvel essai…",
  viewOnly: "Lecture seule",
  notSavedConflict: "Non enregistré : résolvez d’abord le conflit",
  saving: "Enregistrement…",
  saved: "Enregistré",
  savedAgo: "Enregistré {{ago}}",
  namePlaten: "{{name}} · Platen",
  nameOfTemplate: "Nom du modèle",
  couldntRename: "Impossible de renommer le modèle : {{error}}",
  discardChangesAction: "Abandonner les changements",
  moreForThisTemplate: "Autres actions",
  tryItWithData: "Essayer avec des données",
  changesDiscarded: "Changements abandonnés. Vous pouvez annuler.",
  discardChangesQuestion: "Abandonner tous les changements ?",
  keepChanges: "Les garder",
  discardWarning:
    "Le brouillon revient à la version publiée pour tous ceux qui le modifient.",
  keptUntilYouSignIn:
    "Ils restent dans cet onglet et seront enregistrés à votre prochaine connexion.",
  keptUntilNameSignsIn:
    "Ils restent dans cet onglet et seront enregistrés quand {{name}} se reconnectera.",
  saveAsVersion: "Enregistrer comme version {{next}}",
  compareOrRestoreLater: "Vous pourrez la comparer ou la restaurer.",
  stillUsingVersion:
    "Les liens, boutons et lots continuent d’utiliser la version {{version}}.",
  savedByName: "Enregistré par {{name}}",
} as const satisfies Translation<typeof en.draft, "fr">;

export const edits = {
  thereIsNothingToPaste: "Rien à coller.",
  type: "Saisie",
  duplicateComponent: "Dupliquer « {{component}} »",
  duplicateComponents_one: "Dupliquer {{count, number}} composant",
  duplicateComponents_many: "Dupliquer {{count, number}} de composants",
  duplicateComponents_other: "Dupliquer {{count, number}} composants",
  cannotPlaceHere: "Impossible de placer « {{component}} » ici.",
  needsTable:
    "« {{component}} » va dans un tableau. Sélectionnez-en un et collez à nouveau.",
  needsRow:
    "« {{component}} » va dans une ligne de tableau. Sélectionnez-en une et collez à nouveau.",
  needsColumns:
    "« {{component}} » va dans des colonnes. Sélectionnez-en et collez à nouveau.",
  needsList:
    "« {{component}} » va dans une liste. Sélectionnez-en une et collez à nouveau.",
  clipboardHasNoComponents:
    "Le presse-papiers ne contient aucun composant de modèle.",
  clipboardItemWithoutType: "Le presse-papiers contient un élément sans type.",
  unknownComponentTypeType: "Type de composant inconnu : « {{type}} ».",
  needsProperty: "« {{component}} » nécessite « {{missing}} ».",
  hasNoComponents: "« {{component}} » n’a pas de liste de composants.",
  addComponent: "Ajouter « {{component}} »",
  deleteComponent: "Supprimer « {{component}} »",
  deleteComponents_one: "Supprimer {{count, number}} composant",
  deleteComponents_many: "Supprimer {{count, number}} de composants",
  deleteComponents_other: "Supprimer {{count, number}} composants",
  moveComponent: "Déplacer « {{component}} »",
  moveComponents_one: "Déplacer {{count, number}} composant",
  moveComponents_many: "Déplacer {{count, number}} de composants",
  moveComponents_other: "Déplacer {{count, number}} composants",
  fieldInserted: "{{field}} inséré dans le texte",
  addHeaderOrFooter: "Ajouter un en-tête ou un pied de page",
  deleteHeaderOrFooter: "Supprimer un en-tête ou un pied de page",
  firstPageHeader: "En-tête de la première page",
  firstPageFooter: "Pied de la première page",
  whenListIsEmpty: "Si la liste est vide",
  otherwiseOfComponent: "{{component}}, sinon",
  whenListOfComponentIsEmpty: "{{component}}, si la liste est vide",
  youCanOnlyViewThis: "Vous pouvez seulement consulter ce modèle.",
  notMovedFirst: "« {{component}} » reste en place : déjà au début",
  notMovedLast: "« {{component}} » reste en place : déjà à la fin",
  notMovedOut:
    "« {{component}} » reste en place : ne peut pas quitter son parent",
  notMovedIn:
    "« {{component}} » reste en place : aucun voisin ne peut le contenir",
  deleteRow: "Supprimer une ligne",
  deleteColumn: "Supprimer une colonne",
  onlyInDocuments: "« {{component}} » existe seulement dans les documents.",
  onlyInEmails: "« {{component}} » existe seulement dans les e-mails.",
} as const satisfies Translation<typeof en.edits, "fr">;
