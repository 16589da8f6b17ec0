import type { SettingsTranslations } from "../../core/plugin-api/index.js";
import { accessTranslations } from "../lib/google.js";

export const translations: SettingsTranslations = {
  de: {
    properties: {
      ...accessTranslations.de,
      folderId: {
        title: "Drive-Ordner",
        description:
          "Seine Adresse oder deren letzter Teil. Ein Dienstkonto braucht einen Ordner in einer geteilten Ablage. Standard: die oberste Ebene der Ablage des Benutzers.",
      },
    },
  },
  es: {
    properties: {
      ...accessTranslations.es,
      folderId: {
        title: "Carpeta de Drive",
        description:
          "Su dirección o la última parte de ella. Una cuenta de servicio necesita una carpeta en una unidad compartida. Predeterminada: la raíz de la unidad del usuario.",
      },
    },
  },
  fr: {
    properties: {
      ...accessTranslations.fr,
      folderId: {
        title: "Dossier Drive",
        description:
          "Son adresse ou la dernière partie de celle-ci. Un compte de service a besoin d’un dossier dans un Drive partagé. Par défaut : la racine du Drive de l’utilisateur.",
      },
    },
  },
};

export const targetTranslations: SettingsTranslations = {
  de: {
    properties: {
      folderId: {
        title: "Drive-Ordner",
        description:
          "Seine Adresse oder deren letzter Teil. Standard: der Ordner der Verbindung.",
      },
      folder: {
        title: "Ordner darin",
        description:
          "Zum Beispiel invoices/{{root.year}}. Er wird angelegt, wenn er fehlt; eine Datei gleichen Namens, die Platen dort abgelegt hat, erhält eine neue Version.",
      },
    },
  },
  es: {
    properties: {
      folderId: {
        title: "Carpeta de Drive",
        description:
          "Su dirección o la última parte de ella. Predeterminada: la carpeta de la conexión.",
      },
      folder: {
        title: "Carpeta dentro de ella",
        description:
          "Por ejemplo, invoices/{{root.year}}. Se crea si falta; el archivo del mismo nombre que Platen haya puesto ahí recibe una versión nueva.",
      },
    },
  },
  fr: {
    properties: {
      folderId: {
        title: "Dossier Drive",
        description:
          "Son adresse ou la dernière partie de celle-ci. Par défaut : le dossier de la connexion.",
      },
      folder: {
        title: "Dossier à l’intérieur",
        description:
          "Par exemple invoices/{{root.year}}. Il est créé s’il manque ; un fichier du même nom que Platen y a déposé reçoit une nouvelle version.",
      },
    },
  },
};
