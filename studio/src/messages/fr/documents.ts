import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const documents = {
  notSaved: "Non enregistré",
  lead: "Tous les documents créés, du plus récent au plus ancien. La liste s’actualise automatiquement.",
  filterDocuments: "Filtrer les documents",
  searchDocuments: "Rechercher des documents",
  allTemplates: "Tous les modèles",
  showAll: "Effacer les filtres",
  noDocumentsYet: "Aucun document",
  noMatchingDocuments: "Aucun document correspondant",
  noDocumentsHelp:
    "Ouvrez un modèle pour en créer un. Les documents créés via l’API s’affichent aussi ici.",
  tryAnotherFilter:
    "Essayez un autre filtre. La recherche porte sur les noms de fichiers, les noms de modèles, les erreurs et les ID de documents.",
  onlyNewest:
    "Seuls les {{maximum, number}} résultats les plus récents sont affichés. Précisez la recherche pour trouver des documents plus anciens.",
  filesDeleted: "Fichiers supprimés",
  agoByName: "{{ago}} par {{name}}",
  templateAgoByName: "{{template}}, {{ago}} par {{name}}",
} as const satisfies Translation<typeof en.documents, "fr">;

export const batches = {
  couldntLoadBatch: "Impossible de charger le lot",
  batchNotFound: "Lot introuvable.",
  batchOfName: "Lot de « {{name}} »",
  summary_one: "{{count, number}} document, {{ago}} par {{createdBy}}",
  summary_many: "{{count, number}} de documents, {{ago}} par {{createdBy}}",
  summary_other: "{{count, number}} documents, {{ago}} par {{createdBy}}",
  progress: "Progression",
  retryOf: "Nouvel essai des documents en échec d’<link>un autre lot</link>.",
  retryStarted: "Un nouveau lot a démarré pour ces documents.",
  cancelBatch: "Annuler le lot",
  retryFailedDocuments: "Relancer les échecs",
  retryExpiredDocuments: "Relancer les expirés",
  downloadAll: "Tout télécharger",
  downloadTable: "Télécharger les lignes avec les liens",
  downloadOnePdf: "Télécharger en un seul PDF",
  createOnePdf: "Créer un seul PDF",
  creatingOnePdf: "Création d’un seul PDF…",
  onePdfFailed: "Impossible de créer le PDF : {{reason}}",
  cancelThisBatch: "Annuler ce lot ?",
  keepRunning: "Continuer le lot",
  cancelWarning_one:
    "{{count, number}} document en attente ne sera pas créé. Les documents en cours de création seront terminés et les documents terminés sont conservés.",
  cancelWarning_many:
    "{{count, number}} de documents en attente ne seront pas créés. Les documents en cours de création seront terminés et les documents terminés sont conservés.",
  cancelWarning_other:
    "{{count, number}} documents en attente ne seront pas créés. Les documents en cours de création seront terminés et les documents terminés sont conservés.",
  retryingFailedFiles: "Nouvel essai pour les fichiers en échec.",
  retryFailedFiles: "Relancer les fichiers",
  documentsOfBatch: "Documents du lot",
  couldntLoadDocuments: "Impossible de charger les documents",
  lead: "Chaque lot crée un document par enregistrement. La liste s’actualise automatiquement.",
  couldntLoadBatches: "Impossible de charger les lots",
  noBatchesYet: "Aucun lot",
  noBatchesHelp:
    "Ouvrez un modèle et choisissez « Créer des documents à partir d’un fichier ». Les lots des boutons, des automatisations et de l’API s’affichent aussi ici.",
  failedFailed: "{{failed}} en échec",
  doneWithFailures: "Terminé avec des erreurs",
  whatFailed_one: "Pourquoi {{count, number}} document a échoué",
  whatFailed_many: "Pourquoi {{count, number}} de documents ont échoué",
  whatFailed_other: "Pourquoi {{count, number}} documents ont échoué",
  otherErrors_one: "{{count, number}} document a échoué pour une autre raison.",
  otherErrors_many:
    "{{count, number}} de documents ont échoué pour d’autres raisons.",
  otherErrors_other:
    "{{count, number}} documents ont échoué pour d’autres raisons.",
  canceling: "Annulation",
  canceled: "Annulé",
  finishedDocuments: "Documents terminés",
  endedOfTotalCount: "{{ended, number}} sur {{totalCount, number}}",
  filesSaved: "Fichiers enregistrés dans le tableau : {{succeeded, number}}",
  filesPending: "en attente : {{pending, number}}",
  filesFailed: "en échec : {{failed, number}}",
  savingFiles: "Enregistrement",
  filesNotSaved_one: "{{count, number}} fichier non enregistré",
  filesNotSaved_many: "{{count, number}} de fichiers non enregistrés",
  filesNotSaved_other: "{{count, number}} fichiers non enregistrés",
} as const satisfies Translation<typeof en.batches, "fr">;

export const usage = {
  lead: "Documents créés par jour. Les tests et les échecs ne comptent pas. Les jours sont en UTC.",
  previousMonth: "Mois précédent",
  nextMonth: "Mois suivant",
  couldntLoadUsage: "Impossible de charger l’utilisation",
  noDocumentsThisMonth: "Aucun document ce mois-ci",
  documentsAppearHere:
    "Les documents que vous créez s’affichent ici. Les tests ne comptent pas.",
  byDay: "Par jour",
  chartOfMonth: "Graphique du mois",
  asTable: "En tableau",
  day: "Jour",
} as const satisfies Translation<typeof en.usage, "fr">;

export const fromFile = {
  title: "Créer des documents à partir d’un fichier",
  lead: "Un document pour chaque ligne d’un fichier de tableur.",
  choose: "Choisir un fichier",
  drop: "Déposez un fichier ici",
  formats:
    "CSV, Excel (.xlsx), LibreOffice (.ods) ou JSON, jusqu’à 100 000 lignes",
  reading: "Lecture du fichier…",
  couldntRead: "Impossible de lire le fichier",
  columns_one: "{{count, number}} ligne",
  columns_many: "{{count, number}} de lignes",
  columns_other: "{{count, number}} lignes",
  sheet: "Feuille",
  headerRow: "Ligne d’en-tête",
  dates: "Format des dates",
  chooseOne: "Choisissez",
  dayFirst: "Jour.mois.année",
  monthFirst: "Mois/jour/année",
  yearFirst: "Année-mois-jour",
  column: "Colonne",
  values: "Premières valeurs",
  fieldOfColumn: "Champ pour la colonne {{name}}",
  leaveOut: "Ignorer",
  otherProblems_one: "Et {{count, number}} autre.",
  otherProblems_many: "Et {{count, number}} d’autres.",
  otherProblems_other: "Et {{count, number}} autres.",
  firstDocument: "Le premier document",
  fixFirst: "Corrigez d’abord les problèmes.",
  make_one: "Créer {{count, number}} document",
  make_many: "Créer {{count, number}} de documents",
  make_other: "Créer {{count, number}} documents",
} as const satisfies Translation<typeof en.fromFile, "fr">;
