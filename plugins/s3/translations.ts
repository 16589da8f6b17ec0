import { translateSettings } from "../lib/translations.js";

export const translations = translateSettings(
  {
    de: {
      bucket: "Bucket",
      region: ["Region", "Zum Beispiel eu-central-1. Standard: us-east-1."],
      endpoint: [
        "Endpunkt",
        "Die Adresse eines anderen Servers als dem von Amazon, zum Beispiel https://s3.example.com.",
      ],
      accessKeyId: "Zugriffsschlüssel",
      secretAccessKey: "Geheimer Schlüssel",
      prefix: [
        "Ordner",
        "Alle Dateien liegen darunter, zum Beispiel documents/platen. Leer: der ganze Bucket.",
      ],
      addressing: [
        "Bucket in Adressen",
        "path: https://host/bucket; host: https://bucket.host. Standard: host bei Amazon, path bei anderen Servern.",
      ],
    },
    es: {
      bucket: "Bucket",
      region: [
        "Región",
        "Por ejemplo, eu-central-1. Predeterminada: us-east-1.",
      ],
      endpoint: [
        "Punto de conexión",
        "La dirección de un servidor que no es de Amazon, por ejemplo https://s3.example.com.",
      ],
      accessKeyId: "Clave de acceso",
      secretAccessKey: "Clave secreta",
      prefix: [
        "Carpeta",
        "Todos los archivos van dentro de ella, por ejemplo documents/platen. Vacío: todo el bucket.",
      ],
      addressing: [
        "Bucket en las direcciones",
        "path: https://host/bucket; host: https://bucket.host. Predeterminado: host en Amazon, path en otros servidores.",
      ],
    },
    fr: {
      bucket: "Bucket",
      region: ["Région", "Par exemple eu-central-1. Par défaut : us-east-1."],
      endpoint: [
        "Point de terminaison",
        "L’adresse d’un serveur autre que celui d’Amazon, par exemple https://s3.example.com.",
      ],
      accessKeyId: "Clé d’accès",
      secretAccessKey: "Clé secrète",
      prefix: [
        "Dossier",
        "Tous les fichiers y sont placés, par exemple documents/platen. Vide : tout le bucket.",
      ],
      addressing: [
        "Bucket dans les adresses",
        "path : https://host/bucket ; host : https://bucket.host. Par défaut : host chez Amazon, path chez les autres serveurs.",
      ],
    },
  },
  {
    de: "S3-kompatibler Speicher",
    es: "Almacenamiento compatible con S3",
    fr: "Stockage compatible S3",
  },
);

export const targetTranslations = translateSettings({
  de: {
    folder: [
      "Ordner",
      "Zum Beispiel invoices/{{root.year}}. Eine Datei gleichen Namens darin wird ersetzt.",
    ],
  },
  es: {
    folder: [
      "Carpeta",
      "Por ejemplo, invoices/{{root.year}}. Se reemplaza el archivo del mismo nombre que haya en ella.",
    ],
  },
  fr: {
    folder: [
      "Dossier",
      "Par exemple invoices/{{root.year}}. Un fichier du même nom y est remplacé.",
    ],
  },
});
