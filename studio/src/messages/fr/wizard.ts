import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const wizard = {
  buttonName: "Nom du bouton",
  shownAtTopOfPage: "Affiché en haut de la page que le bouton ouvre.",
  buttonRecordsHelp:
    "Le bouton indique combien de documents il va créer et demande confirmation.",
  recordOfItsRow: "L’enregistrement où l’on clique sur le bouton",
  allWithoutFile: "Tous les enregistrements sans fichier dans « {{field}} »",
  allInView: "Tous les enregistrements de la vue « {{view}} »",
  allMatchingFilter: "Tous les enregistrements qui correspondent à un filtre",
  filterHelp:
    "Saisissez la valeur exactement comme elle figure dans « {{table}} ».",
  isOn: "est le",
  isOnOrAfter: "est le ou après le",
  isOnOrBefore: "est le ou avant le",
  isChecked: "est coché",
  isNotChecked: "n’est pas coché",
  openThisPage: "Ouvrez cette page depuis « {{table}} »",
  openThisPageHelp:
    "Elle crée d’un coup les documents de tous ses enregistrements, jusqu’à 1 000 à la fois. Mettez-la dans vos favoris ou ajoutez-la comme lien ou bouton à côté du tableau, par exemple dans une interface ou un tableau de bord.",
  urlOfButton: "URL du bouton",
  couldntCreateButton: "Impossible de créer le bouton",
  createButton: "Créer le bouton",
  couldntLoadButton: "Impossible de charger le bouton",
  thisButtonIsTurnedOff: "Ce bouton est désactivé",
  createAnotherOne: "Créer un autre bouton",
  pasteThisIntoTitle: "Collez ceci dans {{title}}",
  urlForRecords:
    "URL. Ajoutez à la fin l’ID d’un enregistrement, ou plusieurs séparés par des virgules",
  buttonWasTurnedOff: "Le bouton a été désactivé.",
  thisUrlIsSecret: "Cette URL est secrète",
  urlSecretHelp:
    "Toute personne qui a cette URL peut créer ce document à partir des enregistrements de « {{table}} », et rien d’autre. Ne la partagez qu’avec des personnes qui ont accès au tableau. Elle n’est conservée que dans la formule.",
  urlOfManySecretHelp:
    "Toute personne qui a cette URL peut créer les documents de ces enregistrements, et rien d’autre. Ne la partagez qu’avec des personnes qui ont accès à « {{table}} ».",
  turnOffButton: "Désactiver le bouton",
  turnOffButtonQuestion: "Désactiver le bouton ?",
  turnItOff: "Désactiver",
  turnOffWarning:
    "Personne ne pourra plus créer de documents avec lui. Pour le rétablir, créez un autre bouton et collez sa formule.",
  airtableAddField:
    "Dans le tableau « {{table}} », cliquez sur <b>+</b> après le dernier champ et choisissez <b>Button</b>.",
  giveItLabelNameAnd:
    "Donnez-lui le libellé « {{name}} » et choisissez l’action <b>Open URL</b>.",
  pasteThisAsUrlFormula:
    "Collez ceci dans <b>URL formula</b> et cliquez sur <b>Create field</b>.",
  nocodbAddField:
    "Dans le tableau « {{table}} », cliquez sur <b>+</b> après le dernier champ et choisissez <b>Button</b> avec l’action <b>Open URL</b>. (Dans les anciennes versions : <b>Formula</b>.)",
  pasteTextForThatKind:
    "Collez le texte du type de champ choisi, puis enregistrez le champ.",
  directusAddField:
    "Dans le modèle de données de « {{table}} », créez un champ de type <b>Buttons</b>.",
  directusAddLink:
    "Ajoutez un lien intitulé « {{name}} », collez ceci comme <b>URL</b>, puis enregistrez le champ.",
  directusKey:
    "Si la clé primaire ne s’appelle pas <code>id</code>, mettez son nom entre les accolades.",
  sheetChooseCell:
    "Dans la feuille « {{table}} », cliquez sur une cellule vide de la ligne 2. Si la clé de l’enregistrement n’est pas dans la colonne A, changez A2 dans la formule.",
  pasteThisAndPressEnter: "Collez ceci et appuyez sur Entrée.",
  dragCornerOfCellDown:
    "Tirez le coin de la cellule jusqu’à la dernière ligne.",
  addLinkToRecords:
    "Ajoutez cette URL comme lien à côté de chaque enregistrement de « {{table}} », avec l’ID de l’enregistrement à la fin.",
  copyWhere: "Copier : {{where}}",
  pdf: "PDF",
  backToShort: "Retour à « {{short}} »",
  tableChanged:
    "Le tableau a changé et ne correspond plus à vos choix. Vérifiez les champs et la destination du fichier.",
  technicalDetails: "Détails techniques",
  planNeeded: "Les boutons nécessitent l’offre premium ou enterprise",
  planNeededHelp:
    "Votre organisation a l’offre {{plan}}. Vous pouvez tout essayer ici, mais pas créer de bouton.",
  askOwnerToConnect:
    "Demandez à un propriétaire de votre organisation de connecter un tableur.",
  whatDoYouWantTo: "Que voulez-vous connecter ?",
  couldntConnectToTitle: "Impossible de se connecter à {{title}}",
  fixAndConnect:
    "Corrigez le problème ci-dessus, puis cliquez à nouveau sur Connecter.",
  connect: "Connecter",
  airtableOpenTokens:
    "Ouvrez <a>airtable.com/create/tokens</a> et cliquez sur <b>Create new token</b>.",
  airtableAddScopes:
    "Ajoutez les autorisations <code>data.records:read</code>, <code>data.records:write</code> et <code>schema.bases:read</code>.",
  airtableAddBase:
    "Sous <b>Access</b>, ajoutez la base qui contient vos enregistrements.",
  copyTokenAndPasteIt: "Copiez le jeton et collez-le ici.",
  nocodbOpenTokens:
    "Dans NocoDB, cliquez sur votre photo de profil, puis sur <b>Account settings</b> et <b>Tokens</b>.",
  nocodbAddToken:
    "Cliquez sur <b>Add new API token</b> et collez le jeton ici. Il a les mêmes accès que vous.",
  directusOpenUser:
    "Dans Directus, ouvrez <b>User Directory</b> et un utilisateur dont la politique permet de lire vos collections, de modifier des éléments et de créer des fichiers.",
  directusAddToken:
    "Sous <b>Token</b>, cliquez sur le plus, copiez le jeton, enregistrez l’utilisateur et collez le jeton ici.",
  sheetsShare:
    "Partagez la feuille de calcul, en tant qu’éditeur, avec le compte de service ou l’utilisateur qui donne son accord.",
  sheetsColumns:
    "La première ligne doit contenir les noms des colonnes, et une colonne nommée <b>ID</b> doit avoir une valeur différente dans chaque ligne.",
  sqlUser:
    "Utilisez un utilisateur de base de données dédié, qui peut seulement lire les tableaux et écrire dans les colonnes des fichiers.",
  couldntLoadFields: "Impossible de charger les champs",
  countFieldsToChoose_one: "{{count, number}} champ à choisir",
  countFieldsToChoose_many: "{{count, number}} de champs à choisir",
  countFieldsToChoose_other: "{{count, number}} champs à choisir",
  saveAndContinue: "Enregistrer et continuer",
  couldntSaveTemplate: "Impossible d’enregistrer le modèle",
  readItAgain: "Recharger",
  fieldsNotMapped: "Des champs du modèle ne sont pas encore associés",
  fieldsNotMappedHelp:
    "Choisissez un champ de votre tableau pour {{labels}}, ou choisissez « Laisser vide ».",
  record: "L’enregistrement",
  filledFrom: "Rempli à partir du tableau <b>{{table}}</b>",
  eachFilledFrom: "Chacun rempli à partir du tableau <b>{{table}}</b>",
  noTemplateFields: "Ce modèle n’a aucun champ à remplir.",
  oneLinkedRecord: "Un enregistrement lié",
  linkedRecords: "Enregistrements liés",
  leaveItEmpty: "Laisser vide",
  noMatchingFieldInYour: "Aucun champ correspondant dans votre tableau.",
  leftEmptyInDocument: "Vide dans le document.",
  emptyInFirstRecord: "Vide dans le premier enregistrement",
  versionNote: "Connecté au tableau {{name}} dans {{connectionName}}",
  continue: "Continuer",
  chooseFieldThatTakesFile: "Choisissez le champ pour le fichier.",
  chooseAtLeastOneKind: "Choisissez au moins un format de fichier.",
  whereFileGoes: "Destination du fichier",
  storesFile: "{{native}} : contient le fichier",
  storesLink: "{{native}} : contient un lien vers le fichier",
  storesExpiringLink: "{{native}} : contient un lien qui expire",
  attachment: "Pièce jointe",
  linkStays: "Le lien n’expire pas",
  linkStaysHelp:
    "Le fichier est stocké dans votre compte et « {{name}} » reçoit un lien vers lui.",
  linkExpires_one: "Le lien expire après {{count, number}} heure",
  linkExpires_many: "Le lien expire après {{count, number}} d’heures",
  linkExpires_other: "Le lien expire après {{count, number}} heures",
  linkExpiresHelp:
    "Ensuite, le fichier ne peut plus être ouvert depuis « {{name}} ». Pour le garder dans le tableau, choisissez une colonne qui contient le fichier lui-même.",
  dontSaveToTable: "Ne pas enregistrer dans le tableau",
  dontSaveHelp: "On le télécharge depuis la page que le bouton ouvre.",
  airtableAddFileField:
    "Dans Airtable, ajoutez au tableau un champ de type Attachment, puis vérifiez à nouveau.",
  nocodbAddFileField:
    "Dans NocoDB, ajoutez au tableau un champ de type Attachment, puis vérifiez à nouveau.",
  directusAddFileField:
    "Dans Directus, ajoutez à la collection un champ de type Files ou File, ou donnez à l’utilisateur du jeton le droit de modifier des éléments et de créer des fichiers. Vérifiez ensuite à nouveau.",
  sheetsAddFileColumn:
    "Dans la feuille, ajoutez une colonne nommée « PDF » ou « Document », puis vérifiez à nouveau.",
  sqlAddFileColumn:
    "La connexion doit permettre l’écriture (« writable ») et le tableau doit avoir une colonne pour données binaires ou une colonne de lien nommée dans les réglages de la connexion.",
  noFileField: "« {{name}} » n’a pas encore de champ pour les fichiers",
  addFileField:
    "Ajoutez un champ de fichier au tableau, puis vérifiez à nouveau.",
  checkAgain: "Vérifier à nouveau",
  imageOfFirstPage: "Image de la première page",
  webPageHtml: "Page web (HTML)",
  kindOfFile: "Format de fichier",
  keepThem: "Conserver",
  replaceThem: "Remplacer",
  filesThatAreThereAlready: "Fichiers existants",
  connectYourSpreadsheet: "Connectez votre tableur",
  connectLead:
    "Platen y lit vos enregistrements et y ajoute les fichiers terminés.",
  chooseTable: "Choisissez le tableau",
  tableLead: "Chaque enregistrement devient un document.",
  chooseTemplate: "Choisissez le modèle",
  templateLead: "Le modèle définit l’aspect du document.",
  fillTemplate: "Remplissez le modèle",
  fieldsLead:
    "Pour chaque champ du modèle, choisissez un champ de votre tableau.",
  chooseWhereFileGoes: "Choisissez la destination du fichier",
  fileLead: "Le document terminé est ajouté à un champ de son enregistrement.",
  addButtonToYourTable: "Ajoutez le bouton à votre tableau",
  buttonLead: "Un clic dans votre tableur crée le document.",
  tryItWithOneRecord: "Essayez avec un enregistrement",
  tryLead: "Cela crée un vrai document, comme le bouton.",
  couldntLoadYourBases: "Impossible de charger vos bases",
  searchTablesAndFields: "Rechercher des tableaux et champs",
  tables: "Tableaux",
  noTablesFound: "Aucun tableau trouvé",
  noTablesHelp:
    "Donnez à la connexion l’accès à une base qui contient vos enregistrements.",
  countFields_one: "{{count, number}} champ",
  countFields_many: "{{count, number}} de champs",
  countFields_other: "{{count, number}} champs",
  fieldsOfName: "Champs de « {{name}} »",
  andMoreMore: "et {{more}} autres",
  files: "Fichiers",
  other: "Autre",
  createOneFromName: "Créer un modèle à partir de « {{name}} »",
  fromTableHelp:
    "Le plus rapide pour commencer : une page avec tous les champs du tableau et ses enregistrements liés, remplie avec votre premier enregistrement. Vous pourrez tout modifier ensuite.",
  createTemplateFromTable: "Créer un modèle à partir du tableau",
  useOneOfYourTemplates: "Utiliser l’un de vos modèles",
  searchTemplatesByName: "Rechercher un modèle par nom",
  noMatchesForSearch: "Aucun résultat pour « {{search}} ».",
  shownOfTotal:
    "{{maxShown, number}} affichés sur {{total, number}}. Recherchez pour trouver les autres.",
  startFromExample: "Partir d’un exemple",
  goToBatches: "Aller aux lots",
  createDocumentForName: "Créer le document pour « {{name}} »",
  chooseRecordOfName: "Choisissez un enregistrement de « {{name}} »",
  searchByName: "Rechercher par « {{name}} »",
  couldntLoadRecords: "Impossible de charger les enregistrements",
  tableHasNoRecordsYet: "Le tableau n’a pas encore d’enregistrements.",
  chooseAnother: "En choisir un autre",
  recordId: "ID de l’enregistrement",
  recordIdHelp:
    "Cette plateforme ne permet pas la recherche. Copiez-y l’ID de l’enregistrement.",
  couldntLoadProgress: "Impossible de charger la progression",
  fileSavedToField: "Fichier enregistré dans « {{field}} »",
  notSavedToTable:
    "Le document a été créé, mais pas enregistré dans votre tableau",
  itWorks: "Tout fonctionne",
  documentReady: "Le document pour « {{name}} » est prêt.",
  fileInField:
    "Le fichier est dans le champ « {{field}} » de « {{name}} » dans « {{name2}} ».",
  openLabelSize: "Ouvrir le {{label}}<span>{{size}}</span>",
  goToTemplate: "Aller au modèle",
  onlyEditorsCanDoThis: "Action réservée aux éditeurs",
  youHaveReadOnlyAccess:
    "Votre accès est en lecture seule. Demandez le rôle Éditeur à un propriétaire.",
  steps: "Étapes",
  stepNumberOfLength: "Étape {{number}} sur {{length}}",
  emailChanged: "E-mail, modification : {{ago}}",
  documentChanged: "Document, modification : {{ago}}",
  fieldWithType: "{{name}} ({{type}})",
} as const satisfies Translation<typeof en.wizard, "fr">;
