import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    properties: {
      token: {
        title: "Persönliches Zugriffstoken",
        description:
          "Erstellen Sie es auf airtable.com/create/tokens mit den Scopes data.records:read, data.records:write und schema.bases:read (und webhook:manage, wenn Automatisierungen beginnen sollen, sobald sich ein Datensatz ändert) und mit Zugriff auf die Bases, die Ihre Datensätze enthalten.",
      },
      endpointUrl: {
        title: "API-Adresse",
        description: "Standard: https://api.airtable.com",
      },
      contentUrl: {
        title: "Adresse für Uploads",
        description: "Standard: https://content.airtable.com",
      },
    },
  },
  es: {
    properties: {
      token: {
        title: "Token de acceso personal",
        description:
          "Créelo en airtable.com/create/tokens con los ámbitos data.records:read, data.records:write y schema.bases:read (y webhook:manage, si las automatizaciones deben empezar en cuanto cambie un registro), y con acceso a las bases que contienen sus registros.",
      },
      endpointUrl: {
        title: "Dirección de la API",
        description: "Predeterminada: https://api.airtable.com",
      },
      contentUrl: {
        title: "Dirección para subir archivos",
        description: "Predeterminada: https://content.airtable.com",
      },
    },
  },
  fr: {
    properties: {
      token: {
        title: "Jeton d’accès personnel",
        description:
          "Créez-le sur airtable.com/create/tokens avec les portées data.records:read, data.records:write et schema.bases:read (et webhook:manage, si les automatisations doivent démarrer dès qu’un enregistrement change), et avec l’accès aux bases qui contiennent vos enregistrements.",
      },
      endpointUrl: {
        title: "Adresse de l’API",
        description: "Par défaut : https://api.airtable.com",
      },
      contentUrl: {
        title: "Adresse d’envoi des fichiers",
        description: "Par défaut : https://content.airtable.com",
      },
    },
  },
};
