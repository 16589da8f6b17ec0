import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    title: "S3-kompatibler Speicher",
    properties: {
      bucket: { title: "Bucket" },
      region: {
        title: "Region",
        description: "Zum Beispiel eu-central-1. Standard: us-east-1.",
      },
      endpoint: {
        title: "Endpunkt",
        description:
          "Die Adresse eines anderen Servers als dem von Amazon, zum Beispiel https://s3.example.com.",
      },
      accessKeyId: { title: "Zugriffsschlüssel" },
      secretAccessKey: { title: "Geheimer Schlüssel" },
      prefix: {
        title: "Ordner",
        description:
          "Alle Dateien liegen darunter, zum Beispiel documents/platen. Leer: der ganze Bucket.",
      },
      addressing: {
        title: "Bucket in Adressen",
        description:
          "path: https://host/bucket; host: https://bucket.host. Standard: host bei Amazon, path bei anderen Servern.",
      },
    },
  },
  es: {
    title: "Almacenamiento compatible con S3",
    properties: {
      bucket: { title: "Bucket" },
      region: {
        title: "Región",
        description: "Por ejemplo, eu-central-1. Predeterminada: us-east-1.",
      },
      endpoint: {
        title: "Punto de conexión",
        description:
          "La dirección de un servidor que no es de Amazon, por ejemplo https://s3.example.com.",
      },
      accessKeyId: { title: "Clave de acceso" },
      secretAccessKey: { title: "Clave secreta" },
      prefix: {
        title: "Carpeta",
        description:
          "Todos los archivos van dentro de ella, por ejemplo documents/platen. Vacío: todo el bucket.",
      },
      addressing: {
        title: "Bucket en las direcciones",
        description:
          "path: https://host/bucket; host: https://bucket.host. Predeterminado: host en Amazon, path en otros servidores.",
      },
    },
  },
  fr: {
    title: "Stockage compatible S3",
    properties: {
      bucket: { title: "Bucket" },
      region: {
        title: "Région",
        description: "Par exemple eu-central-1. Par défaut : us-east-1.",
      },
      endpoint: {
        title: "Point de terminaison",
        description:
          "L’adresse d’un serveur autre que celui d’Amazon, par exemple https://s3.example.com.",
      },
      accessKeyId: { title: "Clé d’accès" },
      secretAccessKey: { title: "Clé secrète" },
      prefix: {
        title: "Dossier",
        description:
          "Tous les fichiers y sont placés, par exemple documents/platen. Vide : tout le bucket.",
      },
      addressing: {
        title: "Bucket dans les adresses",
        description:
          "path : https://host/bucket ; host : https://bucket.host. Par défaut : host chez Amazon, path chez les autres serveurs.",
      },
    },
  },
};

export const targetTranslations: SettingsTranslations = {
  de: {
    properties: {
      folder: {
        title: "Ordner",
        description:
          "Zum Beispiel invoices/{{root.year}}. Eine Datei gleichen Namens darin wird ersetzt.",
      },
    },
  },
  es: {
    properties: {
      folder: {
        title: "Carpeta",
        description:
          "Por ejemplo, invoices/{{root.year}}. Se reemplaza el archivo del mismo nombre que haya en ella.",
      },
    },
  },
  fr: {
    properties: {
      folder: {
        title: "Dossier",
        description:
          "Par exemple invoices/{{root.year}}. Un fichier du même nom y est remplacé.",
      },
    },
  },
};
