import type { SettingsTranslations } from "../../core/plugin-api/index.js";
import { accessTranslations } from "../lib/google.js";

export const translations: SettingsTranslations = {
  de: {
    properties: {
      ...accessTranslations.de,
      keyColumn: {
        title: "Schlüsselspalte",
        description:
          "Der Name, in der ersten Zeile, der Spalte, die Zeilen identifiziert. Ihre Werte sind eindeutig und nie leer.",
      },
      keyColumns: {
        title: "Schlüsselspalten einzelner Tabellenblätter",
        description:
          "Nach dem Namen eines Tabellenblatts mit einer anderen Spalte. Leer: Das Tabellenblatt wird ignoriert.",
      },
      links: { title: "Verknüpfungen zwischen Tabellenblättern" },
      fileColumns: {
        title: "Spalten für Links zu Dateien",
        description:
          "Standard: Document, Documents, File, Files, PDF, Attachment, Attachments.",
      },
      folderId: {
        title: "Drive-Ordner für Dateien",
        description:
          "Der letzte Teil seiner Adresse. Ein Dienstkonto braucht einen Ordner in einer geteilten Ablage.",
      },
    },
  },
  es: {
    properties: {
      ...accessTranslations.es,
      keyColumn: {
        title: "Columna de clave",
        description:
          "El nombre, en la primera fila, de la columna que identifica las filas. Sus valores son únicos y nunca están vacíos.",
      },
      keyColumns: {
        title: "Columnas de clave de hojas concretas",
        description:
          "Por el nombre de la hoja que tiene otra columna. Vacío: la hoja se ignora.",
      },
      links: { title: "Vínculos entre hojas" },
      fileColumns: {
        title: "Columnas para enlaces a archivos",
        description:
          "Predeterminadas: Document, Documents, File, Files, PDF, Attachment, Attachments.",
      },
      folderId: {
        title: "Carpeta de Drive para los archivos",
        description:
          "La última parte de su dirección. Una cuenta de servicio necesita una carpeta en una unidad compartida.",
      },
    },
  },
  fr: {
    properties: {
      ...accessTranslations.fr,
      keyColumn: {
        title: "Colonne de clé",
        description:
          "Le nom, dans la première ligne, de la colonne qui identifie les lignes. Ses valeurs sont uniques et jamais vides.",
      },
      keyColumns: {
        title: "Colonnes de clé de certaines feuilles",
        description:
          "Par nom de feuille, si sa colonne est différente. Vide : la feuille est ignorée.",
      },
      links: { title: "Liens entre les feuilles" },
      fileColumns: {
        title: "Colonnes pour les liens vers des fichiers",
        description:
          "Par défaut : Document, Documents, File, Files, PDF, Attachment, Attachments.",
      },
      folderId: {
        title: "Dossier Drive pour les fichiers",
        description:
          "La dernière partie de son adresse. Un compte de service a besoin d’un dossier dans un Drive partagé.",
      },
    },
  },
};
