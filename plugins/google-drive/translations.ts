import { translateSettings } from "../lib/translations.js";
import { accessTranslations } from "../lib/google.js";

export const translations = translateSettings({
  de: {
    ...accessTranslations.de,
    folderId: [
      "Drive-Ordner",
      "Seine Adresse oder deren letzter Teil. Ein Dienstkonto braucht einen Ordner in einer geteilten Ablage. Standard: die oberste Ebene der Ablage des Benutzers.",
    ],
  },
  es: {
    ...accessTranslations.es,
    folderId: [
      "Carpeta de Drive",
      "Su dirección o la última parte de ella. Una cuenta de servicio necesita una carpeta en una unidad compartida. Predeterminada: la raíz de la unidad del usuario.",
    ],
  },
  fr: {
    ...accessTranslations.fr,
    folderId: [
      "Dossier Drive",
      "Son adresse ou la dernière partie de celle-ci. Un compte de service a besoin d’un dossier dans un Drive partagé. Par défaut : la racine du Drive de l’utilisateur.",
    ],
  },
});

export const targetTranslations = translateSettings({
  de: {
    folderId: [
      "Drive-Ordner",
      "Seine Adresse oder deren letzter Teil. Standard: der Ordner der Verbindung.",
    ],
    folder: [
      "Ordner darin",
      "Zum Beispiel invoices/{{root.year}}. Er wird angelegt, wenn er fehlt; eine Datei gleichen Namens, die Platen dort abgelegt hat, erhält eine neue Version.",
    ],
  },
  es: {
    folderId: [
      "Carpeta de Drive",
      "Su dirección o la última parte de ella. Predeterminada: la carpeta de la conexión.",
    ],
    folder: [
      "Carpeta dentro de ella",
      "Por ejemplo, invoices/{{root.year}}. Se crea si falta; el archivo del mismo nombre que Platen haya puesto ahí recibe una versión nueva.",
    ],
  },
  fr: {
    folderId: [
      "Dossier Drive",
      "Son adresse ou la dernière partie de celle-ci. Par défaut : le dossier de la connexion.",
    ],
    folder: [
      "Dossier à l’intérieur",
      "Par exemple invoices/{{root.year}}. Il est créé s’il manque ; un fichier du même nom que Platen y a déposé reçoit une nouvelle version.",
    ],
  },
});
