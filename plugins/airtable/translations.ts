import { translateSettings } from "../lib/translations.js";

export const translations = translateSettings({
  de: {
    token: [
      "Persönliches Zugriffstoken",
      "Erstellen Sie es auf airtable.com/create/tokens mit den Scopes data.records:read, data.records:write und schema.bases:read (und webhook:manage, wenn Automatisierungen beginnen sollen, sobald sich ein Datensatz ändert) und mit Zugriff auf die Bases, die Ihre Datensätze enthalten.",
    ],
    endpointUrl: ["API-Adresse", "Standard: https://api.airtable.com"],
    contentUrl: [
      "Adresse für Uploads",
      "Standard: https://content.airtable.com",
    ],
  },
  es: {
    token: [
      "Token de acceso personal",
      "Créelo en airtable.com/create/tokens con los ámbitos data.records:read, data.records:write y schema.bases:read (y webhook:manage, si las automatizaciones deben empezar en cuanto cambie un registro), y con acceso a las bases que contienen sus registros.",
    ],
    endpointUrl: [
      "Dirección de la API",
      "Predeterminada: https://api.airtable.com",
    ],
    contentUrl: [
      "Dirección para subir archivos",
      "Predeterminada: https://content.airtable.com",
    ],
  },
  fr: {
    token: [
      "Jeton d’accès personnel",
      "Créez-le sur airtable.com/create/tokens avec les portées data.records:read, data.records:write et schema.bases:read (et webhook:manage, si les automatisations doivent démarrer dès qu’un enregistrement change), et avec l’accès aux bases qui contiennent vos enregistrements.",
    ],
    endpointUrl: ["Adresse de l’API", "Par défaut : https://api.airtable.com"],
    contentUrl: [
      "Adresse d’envoi des fichiers",
      "Par défaut : https://content.airtable.com",
    ],
  },
});
