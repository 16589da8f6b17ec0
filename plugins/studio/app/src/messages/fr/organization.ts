import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const keys = {
  onlyOwnersCanManageApi: "Seuls les propriétaires gèrent les clés API",
  askOwner: "Demandez une clé à un propriétaire de votre organisation.",
  lead: "Les clés API permettent à d’autres programmes d’utiliser Platen.",
  newKey: "Nouvelle clé",
  couldntLoadKeys: "Impossible de charger les clés",
  noKeysYet: "Aucune clé",
  noKeysHelp:
    "Les programmes envoient une clé avec chaque requête dans l’en-tête x-api-key.",
  createdDate: "Créée le {{date}}",
  usedAgo: "Dernière utilisation : {{ago}}",
  neverUsed: "Jamais utilisée",
  expiresDate: "Expire le {{date}}",
  revoked: "Révoquée",
  revokeName: "Révoquer « {{name}} »",
  revoke: "Révoquer",
  yourNewKey: "Votre nouvelle clé",
  thisKeyIsShownOnly:
    "Cette clé n’est affichée qu’une fois. Enregistrez-la sur votre serveur.",
  newApiKey: "Nouvelle clé API",
  createKey: "Créer la clé",
  createDocuments: "Créer des documents",
  fullAccess: "Accès complet",
  never: "Jamais",
  n30Days: "30 jours",
  n90Days: "90 jours",
  n1Year: "1 an",
  whereItIsUsedSuch: "Où elle est utilisée, par exemple Boutique en ligne",
  expires: "Expiration",
  networks: "Réseaux",
  networksPlaceholder: "Partout, ou par exemple 203.0.113.0/24",
  onlyFrom: "Uniquement depuis {{networks}}",
  scopes: "Autorisations",
  nameWasRevoked: "La clé « {{name}} » a été révoquée.",
  revokeNameQuestion: "Révoquer « {{name}} » ?",
  revokeWarning:
    "Les requêtes avec <code>{{prefix}}…</code> seront refusées. Cette action est irréversible.",
  keyCopied: "Clé copiée.",
} as const satisfies Translation<typeof en.keys, "fr">;

export const assistants = {
  lead: "Les assistants IA que des membres ont connectés à votre organisation. Chacun agit au nom du membre qui l’a connecté.",
  ownLead:
    "Les assistants IA que vous avez connectés. Ils agissent en votre nom.",
  couldntLoad: "Impossible de charger les assistants",
  noneYet: "Aucun assistant connecté",
  noneHelp:
    "Ajoutez Platen comme connecteur dans Claude, ChatGPT ou un autre assistant, avec cette adresse. Vous choisirez ici ce qu’il peut faire.",
  address: "Adresse pour les assistants",
  copyAddress: "Copier l’adresse",
  addressCopied: "Adresse copiée.",
  byName: "Connecté par {{name}}",
  connectedDate: "Connecté le {{date}}",
  disconnect: "Déconnecter",
  disconnectName: "Déconnecter « {{name}} »",
  disconnectNameQuestion: "Déconnecter « {{name}} » ?",
  disconnectWarning:
    "« {{name}} » perd immédiatement son accès. Ce qu’il a créé est conservé. Vous pourrez le reconnecter.",
  nameWasDisconnected: "L’assistant « {{name}} » a été déconnecté.",
  seeTemplates: "Voir vos modèles et ressources",
  changeTemplates:
    "Créer, modifier et mettre à la corbeille des modèles et ressources",
  seeDocuments: "Voir les documents créés",
  createDocuments: "Créer des documents, qui comptent dans votre utilisation",
} as const satisfies Translation<typeof en.assistants, "fr">;

export const connect = {
  title: "Connecter « {{name}} »",
  question: "Connecter « {{name}} » à Platen ?",
  signedInAs: "Votre compte : <b>{{email}}</b>.",
  itMay: "Cette application pourra",
  roleAllowsNothing: "Votre rôle ne permet rien de tout cela",
  roleAllowsNothingHelp:
    "Choisissez une autre organisation ou demandez un autre rôle à un propriétaire.",
  toHost: "Vous serez ensuite redirigé vers <b>{{host}}</b>",
  toDevice:
    "Vous serez ensuite redirigé vers une application de cet appareil (<b>{{host}}</b>)",
  ownNameOfHost:
    "« {{name}} » est le nom que l’application se donne. Continuez seulement si vous venez de lancer cette demande sur {{host}}.",
  ownNameOfDevice:
    "« {{name}} » est le nom que l’application se donne. Continuez seulement si vous venez d’y lancer cette demande.",
  verified: "{{host}} a confirmé que cette application est la sienne.",
  allow: "Autoriser",
  cancel: "Annuler",
  disconnectAnytime:
    "Vous pourrez la déconnecter à tout moment dans Assistants.",
  cannotConnect: "Impossible de connecter cette application",
  cannotConnectHelp:
    "L’application n’a reçu aucun accès. Recommencez dans l’assistant. Si le problème persiste, retirez-y la connexion et ajoutez-la à nouveau.",
  backTo: "Retour à {{host}}",
  done: "« {{name}} » a maintenant accès",
  declined: "« {{name}} » n’a pas accès",
  doneHelp: "Vous pouvez fermer cette page et revenir à l’application.",
  goToPlaten: "Aller à Platen",
} as const satisfies Translation<typeof en.connect, "fr">;

export const people = {
  lead: "Les membres de votre organisation et leurs rôles.",
  inviteSomeone: "Inviter un membre",
  couldntLoadPeople: "Impossible de charger les membres",
  you: "Vous",
  sinceDate: "Depuis le {{date}}",
  changeRole: "Changer le rôle",
  newSignInLink: "Nouveau lien de connexion",
  nameWasRemoved: "{{name}} ne fait plus partie de l’organisation.",
  removedWithKeys_one:
    "{{name}} ne fait plus partie de l’organisation. {{count, number}} clé API créée par ce membre fonctionne encore.",
  removedWithKeys_many:
    "{{name}} ne fait plus partie de l’organisation. {{count, number}} de clés API créées par ce membre fonctionnent encore.",
  removedWithKeys_other:
    "{{name}} ne fait plus partie de l’organisation. {{count, number}} clés API créées par ce membre fonctionnent encore.",
  removeName: "Retirer {{name}} ?",
  removeWarning:
    "La session de {{name}} prend fin immédiatement ; un retour n’est possible qu’avec une nouvelle invitation. Ses modèles et documents sont conservés.",
  roleOfName: "Rôle de {{name}}",
  roleChangeSignsYouOut:
    "Votre session prendra fin. Reconnectez-vous pour utiliser le nouveau rôle.",
  roleChangeSignsThemOut:
    "Sa session prendra fin. Ce membre devra se reconnecter pour utiliser le nouveau rôle.",
  viewerHelp:
    "Peut tout consulter, sauf les clés API, les membres et le journal d’audit.",
  editorHelp: "Peut aussi modifier les modèles et créer des documents.",
  ownerHelp:
    "Accès complet, y compris aux membres, connexions, webhooks et clés API.",
  emailAddress: "Adresse e-mail",
  invite: "Inviter",
  signInLinkForName: "Lien de connexion pour {{name}}",
  linkNotShown:
    "{{name}} fait aussi partie d’autres organisations : le lien n’est donc pas affiché ici. Ce membre peut se connecter comme d’habitude et passer à votre organisation dans le menu du compte.",
  linkCopied: "Lien copié.",
  copyLink: "Copier le lien",
  linkWasSentByEmail: "Le lien a été envoyé par e-mail",
  itWorksOnceAndExpires: "Il ne fonctionne qu’une fois. Expiration : {{time}}.",
  couldntEmailLink: "Impossible d’envoyer le lien par e-mail",
  reasonIsInPlatensLog: "La raison est dans le journal de Platen.",
  shareLink:
    "Ne partagez ce lien qu’avec {{name}}. Il ne fonctionne qu’une fois et ne sera plus affiché. Expiration : {{time}}.",
  orShareLink:
    "Ou ne partagez ce lien qu’avec {{name}}. Il ne fonctionne qu’une fois et ne sera plus affiché. Expiration : {{time}}.",
} as const satisfies Translation<typeof en.people, "fr">;

export const audit = {
  lead: "Qui a changé quoi dans votre organisation, du plus récent au plus ancien. Les entrées ne peuvent pas être modifiées.",
  couldntLoadLog: "Impossible de charger le journal d’audit",
  noMatchingEntries: "Aucune entrée correspondante",
  noMatchesHelp:
    "Essayez d’autres dates, un autre membre ou toutes les actions.",
  what: "Action",
  who: "Membre",
  showAll: "Tout afficher",
  everyone: "Tous",
  organizationCreated: "Organisation créée",
  organizationChanged: "Organisation modifiée",
  personAdded: "Membre ajouté",
  personJoinedFromAnotherOrganization: "Membre arrivé d’une autre organisation",
  roleChanged: "Rôle modifié",
  personRemoved: "Membre retiré",
  signInLinkCreated: "Lien de connexion créé",
  signedIn: "Ouverture de session",
  sessionEnded: "Fin de session",
  apiKeyCreated: "Clé API créée",
  apiKeyRevoked: "Clé API révoquée",
  assistantConnected: "Assistant connecté",
  assistantDisconnected: "Assistant déconnecté",
  templateImported: "Modèle importé",
  templateCreated: "Modèle créé",
  templateChanged: "Modèle modifié",
  draftOfTemplateDiscarded: "Brouillon d’un modèle abandonné",
  templateMovedToTrash: "Modèle mis à la corbeille",
  templateRestored: "Modèle restauré",
  blockCreated: "Bloc créé",
  blockChanged: "Bloc modifié",
  blockDeleted: "Bloc supprimé",
  brandChanged: "Marque modifiée",
  assetUploaded: "Ressource importée",
  assetMovedToTrash: "Ressource mise à la corbeille",
  assetRestored: "Ressource restaurée",
  assetDeletedPermanently: "Ressource supprimée définitivement",
  buttonLinkCreated: "Lien de bouton créé",
  buttonLinkChanged: "Lien de bouton modifié",
  buttonLinkRevoked: "Lien de bouton révoqué",
  signatureRequestCanceled: "Demande de signature annulée",
  signatureRequestSentAgain: "Demande de signature renvoyée",
  webhookAdded: "Webhook ajouté",
  webhookChanged: "Webhook modifié",
  webhookDeleted: "Webhook supprimé",
  webhookSecretRotated: "Secret de webhook renouvelé",
  webhookDisabled: "Webhook désactivé",
  connectionAdded: "Connexion ajoutée",
  connectionChanged: "Connexion modifiée",
  connectionDeleted: "Connexion supprimée",
  connectionCredentialsReEncrypted: "Identifiants de connexion rechiffrés",
  pluginEnabled: "Plugin activé",
  buttons: "Boutons",
  inStudio: "dans le studio",
  viaApi: "via l’API",
  viaAssistant: "via un assistant",
  onCommandLine: "en ligne de commande",
  automatically: "automatiquement",
  system: "Système",
  operator: "L’administrateur",
  fromFromToTo: "de {{from}} à {{to}}",
  asRole: "comme {{role}}",
  byLink: "par un lien",
  bySingleSignOn: "par authentification unique",
  actor: "{{name}}, {{where}}",
  actorWithKey: "{{name}}, {{where}} avec la clé {{key}}",
  allActions: "Toutes les actions",
} as const satisfies Translation<typeof en.audit, "fr">;
