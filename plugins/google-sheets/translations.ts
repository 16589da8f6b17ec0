import { translateSettings } from "../lib/translations.js";
import { accessTranslations } from "../lib/google.js";

export const translations = translateSettings({
  de: {
    ...accessTranslations.de,
    keyColumn: [
      "Schlüsselspalte",
      "Der Name, in der ersten Zeile, der Spalte, die Zeilen identifiziert. Ihre Werte sind eindeutig und nie leer.",
    ],
    keyColumns: [
      "Schlüsselspalten einzelner Tabellenblätter",
      "Nach dem Namen eines Tabellenblatts mit einer anderen Spalte. Leer: Das Tabellenblatt wird ignoriert.",
    ],
    links: "Verknüpfungen zwischen Tabellenblättern",
    fileColumns: [
      "Spalten für Links zu Dateien",
      "Standard: Document, Documents, File, Files, PDF, Attachment, Attachments.",
    ],
    folderId: [
      "Drive-Ordner für Dateien",
      "Der letzte Teil seiner Adresse. Ein Dienstkonto braucht einen Ordner in einer geteilten Ablage.",
    ],
  },
  es: {
    ...accessTranslations.es,
    keyColumn: [
      "Columna de clave",
      "El nombre, en la primera fila, de la columna que identifica las filas. Sus valores son únicos y nunca están vacíos.",
    ],
    keyColumns: [
      "Columnas de clave de hojas concretas",
      "Por el nombre de la hoja que tiene otra columna. Vacío: la hoja se ignora.",
    ],
    links: "Vínculos entre hojas",
    fileColumns: [
      "Columnas para enlaces a archivos",
      "Predeterminadas: Document, Documents, File, Files, PDF, Attachment, Attachments.",
    ],
    folderId: [
      "Carpeta de Drive para los archivos",
      "La última parte de su dirección. Una cuenta de servicio necesita una carpeta en una unidad compartida.",
    ],
  },
  fr: {
    ...accessTranslations.fr,
    keyColumn: [
      "Colonne de clé",
      "Le nom, dans la première ligne, de la colonne qui identifie les lignes. Ses valeurs sont uniques et jamais vides.",
    ],
    keyColumns: [
      "Colonnes de clé de certaines feuilles",
      "Par nom de feuille, si sa colonne est différente. Vide : la feuille est ignorée.",
    ],
    links: "Liens entre les feuilles",
    fileColumns: [
      "Colonnes pour les liens vers des fichiers",
      "Par défaut : Document, Documents, File, Files, PDF, Attachment, Attachments.",
    ],
    folderId: [
      "Dossier Drive pour les fichiers",
      "La dernière partie de son adresse. Un compte de service a besoin d’un dossier dans un Drive partagé.",
    ],
  },
});
