import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const shell = {
  documentation: "Documentation",
  pageNotFound: "Page introuvable",
  pageDoesntExist: "Cette page n’existe pas",
  checkAddress: "Vérifiez l’adresse. La page a peut-être aussi été déplacée.",
  goToTemplates: "Aller aux modèles",
  skipToContent: "Aller au contenu",
  couldntOpenPlaten: "Impossible d’ouvrir Platen",
  platen: "Platen",
  pages: "Pages",
  templates: "Modèles",
  documents: "Documents",
  batches: "Lots",
  assets: "Ressources",
  connectSpreadsheet: "Connecter un tableur",
  buttons: "Boutons",
  connections: "Connexions",
  webhooks: "Webhooks",
  usage: "Utilisation",
  numbers: "Numérotation",
  apiKeys: "Clés API",
  assistants: "Assistants",
  people: "Membres",
  auditLog: "Journal d’audit",
  plugins: "Plugins",
  system: "Système",
  light: "Clair",
  dark: "Sombre",
  accountOf: "Compte de",
  accountAndSessions: "Compte et sessions",
  organizationAndRole: "{{organization}}, {{role}}",
  colors: "Couleurs",
  signOut: "Se déconnecter",
  organization: "Organisation",
  couldntSwitchOrganization: "Impossible de changer d’organisation.",
} as const satisfies Translation<typeof en.shell, "fr">;

export const session = {
  onlyOwnersCanOpenThisPage: "Page réservée aux propriétaires",
  askOwner: "Demandez de l’aide à un propriétaire de votre organisation.",
  youAreSignedOut: "Votre session est terminée.",
  signInAgain: "Se reconnecter",
  signedOutHelp:
    "Vous avez fermé la session dans un autre onglet ou elle a expiré. Reconnectez-vous en tant que {{name}} pour continuer. Vos changements restent dans cet onglet.",
  otherIsNowSignedIn:
    "Un autre onglet utilise maintenant le compte d’une autre personne.",
  continueAsOther: "Continuer avec l’autre compte",
  youAreNowSignedIn:
    "Un autre onglet utilise maintenant le compte de {{name}}.",
  signInAsName: "Se connecter en tant que {{name}}",
  continueAsName: "Continuer en tant que {{name}}",
  otherPersonHelp:
    "Cet onglet a été ouvert avec le compte de {{name}}. Rien de ce que vous faites ici n’est enregistré tant que {{name}} ne se reconnecte pas. Vos changements restent dans cet onglet.",
  youOpenedNameInAnotherTab:
    "Vous avez ouvert « {{name}} » dans un autre onglet.",
  switchBackToName: "Revenir à « {{name}} »",
  continueInName: "Continuer dans « {{name}} »",
  otherOrganizationHelp:
    "Cet onglet affiche encore « {{name}} ». Rien de ce que vous faites ici n’est enregistré tant que vous ne revenez pas à « {{name}} ». Vos changements restent dans cet onglet.",
} as const satisfies Translation<typeof en.session, "fr">;

export const account = {
  ownerRole: "Propriétaire : accès complet, y compris aux clés API",
  editorRole: "Éditeur : peut modifier les modèles et créer des documents",
  viewerRole: "Lecteur : accès en lecture seule",
  account: "Compte",
  couldntLoadYourSessions: "Impossible de charger vos sessions",
  whereYouAreSignedIn: "Vos sessions ouvertes",
  endUnknownSessions: "Fermez toute session que vous ne reconnaissez pas.",
  allOtherSessionsEnded: "Toutes les autres sessions sont fermées.",
  endAllOthers: "Fermer les autres",
  signedInDateLastUsed: "Ouverte : {{date}}, dernière activité : {{ago}}",
  thisBrowser: "Ce navigateur",
  endSessionInBrowser: "Fermer la session dans {{browser}}",
  sessionEnded: "Session fermée.",
  end: "Fermer",
} as const satisfies Translation<typeof en.account, "fr">;

export const signIn = {
  signInPlaten: "Connexion · Platen",
  signInToPlaten: "Se connecter à Platen",
  thisLinkWorksOnceAnd:
    "Ce lien ne fonctionne qu’une fois. Il vous connecte dans ce navigateur.",
  signIn: "Se connecter",
  couldntLoadSignInOptions: "Impossible de charger les options de connexion",
  continueWithOpenId: "Continuer avec {{openId}}",
  or: "ou",
  emailMeSignInLink: "Recevoir un lien par e-mail",
  checkYourEmail: "Consultez vos e-mails",
  linkSent:
    "Si {{to}} a un compte, nous avons envoyé un lien de connexion. Il ne fonctionne qu’une fois et expire bientôt.",
  thisLinkHasBeenUsed: "Ce lien a déjà servi ou a expiré",
  eachLinkWorksOnceAnd:
    "Chaque lien ne fonctionne qu’une fois et expire vite. Demandez-en un nouveau.",
  thisLinkIsIncomplete: "Ce lien est incomplet",
  incompleteLinkHelp:
    "Certaines messageries coupent les longs liens. Copiez le lien entier dans la barre d’adresse ou demandez-en un nouveau.",
  youHaveNoAccountHere: "Vous n’avez pas encore de compte",
  noOrganizationForEmail:
    "Votre adresse e-mail n’est dans aucune organisation. Demandez une invitation à un propriétaire de votre organisation ou à l’administrateur de ce serveur.",
  yourEmailAddressIsNot: "Votre adresse e-mail n’est pas vérifiée",
  verifyEmailHelp:
    "Vérifiez-la auprès de votre fournisseur et réessayez, ou demandez un lien de connexion.",
  signInWasNotCompleted: "La connexion n’a pas abouti",
  deniedHelp:
    "Votre fournisseur a refusé l’accès ou vous avez annulé. Réessayez.",
  signInTookTooLong:
    "La connexion a pris trop de temps ou a commencé dans un autre navigateur",
  startAgainInThisBrowser: "Recommencez dans ce navigateur.",
  providerNotResponding: "Le fournisseur d’identité ne répond pas",
  providerNotRespondingHelp:
    "Réessayez dans une minute. Si le problème persiste, demandez à l’administrateur de ce serveur de consulter le journal de Platen.",
  couldntSignYouIn: "Impossible de vous connecter",
  waitMinuteThenTryAgain: "Attendez une minute, puis réessayez.",
  askOperator:
    "Demandez un lien de connexion à l’administrateur de ce serveur. La commande pour le créer :",
  orAskOperator:
    "Ou demandez un lien de connexion à l’administrateur de ce serveur. La commande pour le créer :",
  about: "À propos de Platen",
  tagline: "Des documents et e-mails à partir de vos données",
  whatItIs:
    "Platen transforme des enregistrements en PDF et e-mails : factures, contrats, étiquettes, newsletters.",
  design: "Créez un modèle à la souris",
  designHelp:
    "Sans code : glissez des composants, insérez des champs, voyez le vrai PDF.",
  fill: "Remplissez-le depuis un tableur ou une base",
  fillHelp:
    "Airtable, Google Sheets, NocoDB, Directus, SQL ou votre propre programme.",
  send: "Créez, faites signer, enregistrez",
  sendHelp: "Un document en un clic, ou des milliers dans un lot.",
  noAccount: "Pas encore de compte ?",
  noAccountHelp:
    "Demandez à un propriétaire de votre organisation de vous inviter dans Membres.",
  noKeyHelp:
    "Pour les clés API, connectez-vous d’abord : les propriétaires les créent dans Clés API.",
  emailHelp: "Nous vous envoyons un lien. Aucun mot de passe n’est nécessaire.",
} as const satisfies Translation<typeof en.signIn, "fr">;
