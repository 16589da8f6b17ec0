import { translateSettings } from "../lib/translations.js";

export const translations = translateSettings(
  {
    de: {
      engine: ["Datenbank", "Wählen Sie mysql auch für MariaDB."],
      host: ["Server", "Hostname oder IP-Adresse."],
      port: "Port",
      user: ["Benutzer", "Geben Sie ihm nur die nötigen Rechte."],
      password: "Passwort",
      database: ["Name der Datenbank", "Auf dem Server."],
      schema: ["Schema", "Für PostgreSQL; ohne Angabe `public`."],
      tls: [
        "Verschlüsselt",
        "Andernfalls werden Passwörter und Daten unverschlüsselt übertragen.",
      ],
      ca: [
        "Zertifizierungsstelle",
        "PEM der Stelle, die das Zertifikat des Servers ausgestellt hat, wenn es keine öffentliche ist.",
      ],
      file: ["Datei", "Für SQLite: ihr Name im Ordner „databases“ von Platen."],
      writable: "Schreiben von Dateien erlauben",
      linkColumns: [
        "Spalten für Links zu Dateien",
        "Textspalten, als Tabelle.Spalte.",
      ],
    },
    es: {
      engine: ["Base de datos", "Elija mysql también para MariaDB."],
      host: ["Servidor", "Nombre de host o dirección IP."],
      port: "Puerto",
      user: ["Usuario", "Dele solo los permisos que necesita."],
      password: "Contraseña",
      database: ["Nombre de la base de datos", "En el servidor."],
      schema: ["Esquema", "Para PostgreSQL; si se omite, `public`."],
      tls: [
        "Cifrada",
        "De lo contrario, las contraseñas y los datos se envían sin cifrar.",
      ],
      ca: [
        "Autoridad de certificación",
        "PEM de la autoridad que firmó el certificado del servidor, si no es pública.",
      ],
      file: [
        "Archivo",
        "Para SQLite: su nombre en la carpeta «databases» de Platen.",
      ],
      writable: "Permitir escribir archivos",
      linkColumns: [
        "Columnas para enlaces a archivos",
        "Columnas de texto, como tabla.columna.",
      ],
    },
    fr: {
      engine: ["Base de données", "Choisissez mysql aussi pour MariaDB."],
      host: ["Serveur", "Nom d’hôte ou adresse IP."],
      port: "Port",
      user: ["Utilisateur", "Ne lui donnez que les droits nécessaires."],
      password: "Mot de passe",
      database: ["Nom de la base de données", "Sur le serveur."],
      schema: ["Schéma", "Pour PostgreSQL ; `public` si le champ est vide."],
      tls: [
        "Chiffrée",
        "Sinon, les mots de passe et les données sont transmis sans chiffrement.",
      ],
      ca: [
        "Autorité de certification",
        "PEM de l’autorité qui a signé le certificat du serveur, si elle n’est pas publique.",
      ],
      file: [
        "Fichier",
        "Pour SQLite : son nom dans le dossier « databases » de Platen.",
      ],
      writable: "Autoriser l’écriture de fichiers",
      linkColumns: [
        "Colonnes pour les liens vers des fichiers",
        "Colonnes de texte, sous la forme table.colonne.",
      ],
    },
  },
  { de: "SQL-Datenbank", es: "Base de datos SQL", fr: "Base de données SQL" },
);
