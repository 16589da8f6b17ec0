import type { Translation } from "../../plugin-api/languages.js";
import type { en } from "./en.js";

export const fr = {
  brand: "Platen",
  tryAgain: "Réessayer",
  detailsForCreator: "Détails pour la personne qui a configuré ceci",
  oneMoment: "Un instant…",

  confirmTitle: "{{name}} : créer des documents",
  createQuestion_one: "Créer ce document ?",
  createQuestion_many: "Créer {{count, number}} de documents ?",
  createQuestion_other: "Créer {{count, number}} documents ?",
  recordsMissing_one:
    "Un enregistrement n’est plus dans le tableau « {{table}} » et sera ignoré.",
  recordsMissing_many:
    "{{count, number}} d’enregistrements ne sont plus dans le tableau « {{table}} » et seront ignorés.",
  recordsMissing_other:
    "{{count, number}} enregistrements ne sont plus dans le tableau « {{table}} » et seront ignorés.",
  template: "Modèle",
  records_one: "Enregistre\u00ADment",
  records_many: "Enregistre\u00ADments",
  records_other: "Enregistre\u00ADments",
  allInView: "Tous les enregistrements de la vue « {{view}} »",
  allMatching: "Tous les enregistrements qui correspondent au filtre du bouton",
  allWithoutFile: "Tous les enregistrements sans fichier dans « {{field}} »",
  firstRecords_one:
    "Il y a d’autres enregistrements. Seul le document du premier sera créé.",
  firstRecords_many:
    "Il y a d’autres enregistrements. Seuls les documents des {{count, number}} premiers seront créés.",
  firstRecords_other:
    "Il y a d’autres enregistrements. Seuls les documents des {{count, number}} premiers seront créés.",
  openAgain: "Rouvrez cette page pour les autres.",
  othersLater:
    "Les autres pourront être créés quand ceux-ci ne seront plus sélectionnés.",
  moreRecords: "et {{count, number}} de plus",
  youGet: "Vous obtenez",
  formats_one: "{{formats}}",
  formats_many: "{{formats}} par enregistrement",
  formats_other: "{{formats}} par enregistrement",
  savedIn: "Enregistré dans",
  fieldOfTable: "Le champ « {{field}} » de « {{table}} »",
  replacesFiles: "Les fichiers du champ seront remplacés.",
  create_one: "Créer le document",
  create_many: "Créer {{count, number}} de documents",
  create_other: "Créer {{count, number}} documents",
  worksUntil: "Valable jusqu’au",
  timeUtc: "{{time}} (UTC)",
  nothingYet: "Rien n’est créé tant que vous n’avez pas cliqué sur ce bouton.",
  previewAlt:
    "Première page du modèle « {{template}} », avec des données d’exemple",
  previewCaption: "Le modèle avec des données d’exemple",

  pdf: "un PDF",
  html: "une page web",
  image: "une image",
  mjml: "le code source d’un e-mail",
  xml: "une facture électronique",

  progress: "Progression",
  creating_one: "Création de votre document…",
  creating_many: "Création de {{count, number}} de documents…",
  creating_other: "Création de {{count, number}} documents…",
  saving_one: "Enregistrement de votre fichier…",
  saving_many: "Enregistrement de vos fichiers…",
  saving_other: "Enregistrement de vos fichiers…",
  ready_one: "Votre document est prêt",
  ready_many: "Vos {{count, number}} de documents sont prêts",
  ready_other: "Vos {{count, number}} documents sont prêts",
  unsaved_one: "Votre document est créé, mais pas enregistré",
  unsaved_many:
    "Vos {{count, number}} de documents sont créés, mais pas enregistrés",
  unsaved_other:
    "Vos {{count, number}} documents sont créés, mais pas enregistrés",
  someUnsaved:
    "{{unsaved, number}} documents sur {{total, number}} n’ont pas pu être enregistrés",
  notCreated_one: "Le document n’a pas pu être créé",
  notCreated_many: "Les documents n’ont pas pu être créés",
  notCreated_other: "Les documents n’ont pas pu être créés",
  someReady: "Documents prêts : {{ready, number}} sur {{total, number}}",
  readySoFar:
    "Prêts : {{ready, number}} sur {{total, number}}. Vous pouvez laisser cette page ouverte ou revenir plus tard.",
  readyAndFailedSoFar:
    "Prêts : {{ready, number}} sur {{total, number}}, non créés : {{failed, number}}. Vous pouvez laisser cette page ouverte ou revenir plus tard.",
  notSaved_one:
    "Le fichier n’a pas pu être enregistré dans votre tableau. Il n’est pas perdu : téléchargez-le ici.",
  notSaved_many:
    "{{count, number}} de fichiers n’ont pas pu être enregistrés dans votre tableau. Ils ne sont pas perdus : téléchargez-les ici.",
  notSaved_other:
    "{{count, number}} fichiers n’ont pas pu être enregistrés dans votre tableau. Ils ne sont pas perdus : téléchargez-les ici.",
  saved_one:
    "Il est enregistré dans le champ « {{field}} ». Vous pouvez fermer cette page.",
  saved_many:
    "Ils sont enregistrés dans le champ « {{field}} ». Vous pouvez fermer cette page.",
  saved_other:
    "Ils sont enregistrés dans le champ « {{field}} ». Vous pouvez fermer cette page.",
  download_one: "Téléchargez-le ici.",
  download_many: "Téléchargez-les ici.",
  download_other: "Téléchargez-les ici.",
  nothingSaved: "Rien n’a été enregistré dans votre tableau.",
  opensInNewTab: "(s’ouvre dans un nouvel onglet)",
  saveAgain: "Réessayer l’enregistrement",
  notListed_one: "{{count, number}} autre n’est pas affiché ici.",
  notListed_many: "{{count, number}} d’autres ne sont pas affichés ici.",
  notListed_other: "{{count, number}} autres ne sont pas affichés ici.",
  filesUntil:
    "Vous pouvez télécharger les fichiers ici jusqu’au {{time}} (UTC).",

  documentWaiting: "En attente",
  documentRendering: "Création…",
  documentReady: "Prêt",
  documentSaving: "Enregistrement dans « {{field}} »…",
  documentSaved: "Enregistré dans « {{field}} »",
  documentNotSaved: "Créé, mais pas enregistré dans « {{field}} ».",
  documentExpired: "Non créé : cela a pris trop de temps.",
  documentFailed:
    "Non créé : un élément de l’enregistrement ne convient pas au modèle.",

  linkUnusable: "Ce lien ne peut pas être utilisé",
  revokedWhy: "Il a été révoqué par son propriétaire.",
  deletedWhy: "Il n’existe plus.",
  incompleteWhy:
    "Il est incomplet ou appartient à un autre service. Copiez-le à nouveau depuis l’endroit où il a été créé.",
  linkExpired: "Ce lien a expiré",
  expiredWhy: "Il était valable jusqu’à une date fixée par son propriétaire.",
  startAgain: "Veuillez recommencer",
  filesGone: "Les fichiers ne sont plus disponibles",
  requestId: "ID de la requête : {{id}}",
  askOwner: "Adressez-vous à la personne qui a configuré ceci pour vous.",
  paused: "Ce bouton est en pause",
  pausedWhy:
    "Son propriétaire l’a désactivé pour l’instant. Rien n’a été créé.",
  nothingToCreate: "Rien à créer pour l’instant",
  noneInView: "La vue « {{view}} » ne contient aucun enregistrement.",
  noneMatching:
    "Aucun enregistrement de « {{table}} » ne correspond au filtre du bouton.",
  noneWithoutFile:
    "Chaque enregistrement de « {{table}} » a un fichier dans « {{field}} » ou est en train d’en recevoir un.",
  noneLeft:
    "Les enregistrements ont changé ou quelqu’un d’autre a déjà créé ces documents. Rien n’a été créé.",
  noRecord: "Aucun enregistrement sélectionné",
  noRecordHelp:
    "Ce lien crée un document à partir d’un enregistrement de votre tableau. Ouvrez-le avec le bouton ou la formule de cet enregistrement.",
  recordNotFound: "Enregistrement introuvable",
  recordNotFoundWhy:
    "Il a été supprimé ou le lien appartient à un autre tableau. Rien n’a été créé.",
  recordNotFoundHelp:
    "Revenez à votre tableau et utilisez le bouton d’un enregistrement.",
  tooManyRecords: "Trop d’enregistrements",
  tooManyRecordsHelp:
    "Sélectionnez moins d’enregistrements, puis recommencez pour les autres.",
  removed: "Cette page n’est plus disponible",
  removedWhy:
    "Le modèle, la connexion ou la page derrière ce lien a été supprimé.",
  outdated: "Ce lien doit être mis à jour",
  outdatedWhy:
    "Le modèle, le tableau ou le lien a changé depuis la création du lien. Rien n’a été créé.",
  busy: "Trop de demandes en ce moment",
  waitAMinute: "Rien n’a été créé. Attendez une minute, puis réessayez.",
  unexpected: "Une erreur s’est produite",
  unexpectedHelp: "Vous n’y êtes pour rien. Réessayez dans une minute.",
  accessDenied: "Platen ne peut pas accéder à votre tableau",
  quotaUsedUp: "Le quota du tableau est épuisé",
  quotaUsedUpWhy:
    "La plateforme n’accepte plus de requêtes tant que son quota n’est pas renouvelé ou augmenté.",
  accessDeniedWhy:
    "Son accès a été retiré ou le mot de passe a changé. Rien n’a été créé.",
  notResponding: "Votre tableau ne répond pas",
  tableChanged: "Votre tableau a changé",
  tableChangedWhy:
    "Un tableau ou un champ dont ce lien a besoin a été renommé ou supprimé. Rien n’a été créé.",
} as const satisfies Translation<typeof en, "fr">;
