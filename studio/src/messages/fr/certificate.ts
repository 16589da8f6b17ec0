export const certificate = {
  title: "Certificat de signature",
  lead: "Prouve qui a émis un PDF et que personne ne l’a modifié depuis.",
  couldntLoad: "Impossible de charger le certificat",
  noneYet: "Pas encore de certificat",
  noneYetHelp:
    "Il vous faut un fichier PKCS#12 (.p12 ou .pfx) avec un certificat de signature de documents et sa clé privée.",
  howTo: "Comment en obtenir un",
  store: "Ajouter un certificat",
  replace: "Remplacer le certificat",
  deleteIt: "Supprimer le certificat ?",
  whatDeletingDoes:
    "Les documents des modèles signés échouent jusqu’à ce qu’il y en ait un autre. Les PDF déjà signés restent valides.",
  deleted: "Le certificat est supprimé.",
  stored: "Le certificat est enregistré.",
  subject: "Délivré à",
  issuer: "Délivré par",
  valid: "Validité",
  fromUntil: "du {{from}} au {{until}}",
  key: "Clé",
  timestampServer: "Serveur d’horodatage",
  noServer: "Aucun",
  serialNumber: "Numéro de série",
  fingerprint: "Empreinte (SHA-256)",
  expired: "Le certificat a expiré le {{day}}",
  documentsFail:
    "Les documents à signer échouent jusqu’à ce que vous le remplaciez.",
  expires: "Le certificat expire le {{day}}",
  replaceBefore:
    "Remplacez-le avant. Ensuite, les documents à signer échouent.",
  chooseFileFirst: "Choisissez d’abord le fichier du certificat.",
  chooseFile: "Choisir un fichier",
  fileHelp: "Fichier PKCS#12 (.p12 ou .pfx), avec la clé privée",
  timestampHelp:
    "Facultatif. Votre autorité de certification indique son adresse (RFC 3161). Il prouve l’heure de chaque signature.",
  password: "Mot de passe du fichier",
};
