import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const deliveries = {
  delivery: "Livraison",
  pluginsLead:
    "Transmettre les documents terminés : par e-mail ou vers un stockage.",
  templateLead:
    "Où va chaque document une fois prêt, sauf si un lot, un lien ou une automatisation indique autre chose.",
  couldntLoad: "Impossible de charger les connexions",
  none: "Aucune livraison",
  noneHelp:
    "Les documents peuvent être téléchargés jusqu’à leur expiration. Ajoutez une livraison pour envoyer chacun par e-mail ou vers un stockage.",
  add: "Ajouter une livraison",
  edit: "Modifier la livraison",
  editName: "Modifier la livraison vers {{name}}",
  removeName: "Supprimer la livraison vers {{name}}",
  saved: "Distribution enregistrée",
  to: "Livrer vers",
  serviceMail: "E-mail de ce service",
  unknownConnection: "Connexion supprimée",
  connectionsHelp:
    "Les boîtes e-mail et les stockages s’ajoutent sous <link>Connexions</link>.",
  emailTemplate: "Modèle d’e-mail",
  subjectOfTemplate: "Comme dans le modèle d’e-mail",
  subjectOfDocument: "Le nom du document",
  options: "Options",
  files: "Fichiers dans l’e-mail",
  attached: "En pièces jointes",
  linked: "Sous forme de liens",
  formatsHelp: "Aucune sélection : tous les fichiers du document.",
  testMode: "Mode test",
  testOff: "Désactivé : aux destinataires",
  testToStarter: "Tout à la personne qui lance le lot",
  testToAddress: "Tout à une adresse…",
  testAddress: "Adresse pour les tests",
  filename: "Nom du fichier",
  filenameHelp: "Sans extension. Par défaut : le nom du document.",
  insertFieldInto: "Insérer un champ dans {{label}}",
  delivered: "Livrés : {{succeeded, number}}",
  unknown: "peut-être arrivés : {{unknown, number}}",
  notDelivered: "Non livré",
  retry: "Relancer les livraisons en échec",
  retrying: "Nouvelle livraison en cours.",
  sendAgain: "Renvoyer ce qui est peut-être arrivé",
  sendAgainWarning_one:
    "On ne sait pas si {{count, number}} livraison est arrivée. Demandez d’abord au destinataire : il pourrait la recevoir deux fois.",
  sendAgainWarning_many:
    "On ne sait pas si {{count, number}} de livraisons sont arrivées. Demandez d’abord aux destinataires : ils pourraient les recevoir deux fois.",
  sendAgainWarning_other:
    "On ne sait pas si {{count, number}} livraisons sont arrivées. Demandez d’abord aux destinataires : ils pourraient les recevoir deux fois.",
} as const satisfies Translation<typeof en.deliveries, "fr">;
