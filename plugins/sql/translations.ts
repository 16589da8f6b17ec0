import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    title: "SQL-Datenbank",
    properties: {
      engine: {
        title: "Datenbank",
        description: "Wählen Sie mysql auch für MariaDB.",
      },
      host: { title: "Server", description: "Hostname oder IP-Adresse." },
      port: { title: "Port" },
      user: {
        title: "Benutzer",
        description: "Geben Sie ihm nur die nötigen Rechte.",
      },
      password: { title: "Passwort" },
      database: { title: "Name der Datenbank", description: "Auf dem Server." },
      schema: {
        title: "Schema",
        description: "Für PostgreSQL; ohne Angabe `public`.",
      },
      tls: {
        title: "Verschlüsselt",
        description:
          "Andernfalls werden Passwörter und Daten unverschlüsselt übertragen.",
      },
      ca: {
        title: "Zertifizierungsstelle",
        description:
          "PEM der Stelle, die das Zertifikat des Servers ausgestellt hat, wenn es keine öffentliche ist.",
      },
      file: {
        title: "Datei",
        description: "Für SQLite: ihr Name im Ordner „databases“ von Platen.",
      },
      writable: { title: "Schreiben von Dateien erlauben" },
      linkColumns: {
        title: "Spalten für Links zu Dateien",
        description: "Textspalten, als Tabelle.Spalte.",
      },
    },
  },
  es: {
    title: "Base de datos SQL",
    properties: {
      engine: {
        title: "Base de datos",
        description: "Elija mysql también para MariaDB.",
      },
      host: {
        title: "Servidor",
        description: "Nombre de host o dirección IP.",
      },
      port: { title: "Puerto" },
      user: {
        title: "Usuario",
        description: "Dele solo los permisos que necesita.",
      },
      password: { title: "Contraseña" },
      database: {
        title: "Nombre de la base de datos",
        description: "En el servidor.",
      },
      schema: {
        title: "Esquema",
        description: "Para PostgreSQL; si se omite, `public`.",
      },
      tls: {
        title: "Cifrada",
        description:
          "De lo contrario, las contraseñas y los datos se envían sin cifrar.",
      },
      ca: {
        title: "Autoridad de certificación",
        description:
          "PEM de la autoridad que firmó el certificado del servidor, si no es pública.",
      },
      file: {
        title: "Archivo",
        description:
          "Para SQLite: su nombre en la carpeta «databases» de Platen.",
      },
      writable: { title: "Permitir escribir archivos" },
      linkColumns: {
        title: "Columnas para enlaces a archivos",
        description: "Columnas de texto, como tabla.columna.",
      },
    },
  },
  fr: {
    title: "Base de données SQL",
    properties: {
      engine: {
        title: "Base de données",
        description: "Choisissez mysql aussi pour MariaDB.",
      },
      host: { title: "Serveur", description: "Nom d’hôte ou adresse IP." },
      port: { title: "Port" },
      user: {
        title: "Utilisateur",
        description: "Ne lui donnez que les droits nécessaires.",
      },
      password: { title: "Mot de passe" },
      database: {
        title: "Nom de la base de données",
        description: "Sur le serveur.",
      },
      schema: {
        title: "Schéma",
        description: "Pour PostgreSQL ; `public` si le champ est vide.",
      },
      tls: {
        title: "Chiffrée",
        description:
          "Sinon, les mots de passe et les données sont transmis sans chiffrement.",
      },
      ca: {
        title: "Autorité de certification",
        description:
          "PEM de l’autorité qui a signé le certificat du serveur, si elle n’est pas publique.",
      },
      file: {
        title: "Fichier",
        description:
          "Pour SQLite : son nom dans le dossier « databases » de Platen.",
      },
      writable: { title: "Autoriser l’écriture de fichiers" },
      linkColumns: {
        title: "Colonnes pour les liens vers des fichiers",
        description: "Colonnes de texte, sous la forme table.colonne.",
      },
    },
  },
};
