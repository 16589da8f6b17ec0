import { createCredentialsSchema } from "../lib/esign-server.js";

export const credentialsSchema = createCredentialsSchema("Documenso", {
  en: {
    url: "https://app.documenso.com (when left out), or the address of your own server, without a path.",
    apiKeyTitle: "API token",
    apiKey: "Begins with api_. In Documenso: Settings of the team, API tokens.",
    webhookSecret: "The secret that you enter for the webhook in Documenso.",
  },
  de: {
    url: "https://app.documenso.com (ohne Angabe) oder die Adresse Ihres eigenen Servers, ohne Pfad.",
    apiKeyTitle: "API-Token",
    apiKey:
      "Beginnt mit api_. In Documenso: Einstellungen des Teams, „API tokens“.",
    webhookSecret:
      "Das Geheimnis, das Sie in Documenso für den Webhook eingeben.",
  },
  es: {
    url: "https://app.documenso.com (si se omite) o la dirección de su propio servidor, sin ruta.",
    apiKeyTitle: "Token de API",
    apiKey: "Empieza por api_. En Documenso: ajustes del equipo, «API tokens».",
    webhookSecret: "El secreto que introduce en Documenso para el webhook.",
  },
  fr: {
    url: "https://app.documenso.com (si le champ est vide) ou l’adresse de votre propre serveur, sans chemin.",
    apiKeyTitle: "Jeton d’API",
    apiKey:
      "Commence par api_. Dans Documenso : paramètres de l’équipe, « API tokens ».",
    webhookSecret:
      "Le secret que vous saisissez dans Documenso pour le webhook.",
  },
});
