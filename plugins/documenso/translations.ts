import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "https://app.documenso.com (ohne Angabe) oder die Adresse Ihres eigenen Servers, ohne Pfad.",
      },
      apiKey: {
        title: "API-Token",
        description:
          "Beginnt mit api_. In Documenso: Einstellungen des Teams, „API tokens“.",
      },
      webhookSecret: {
        title: "Webhook-Geheimnis",
        description:
          "Das Geheimnis, das Sie in Documenso für den Webhook eingeben. Ohne Geheimnis fragt Platen Änderungen regelmäßig bei Documenso ab.",
      },
      sendEmail: {
        title: "E-Mails senden",
        description:
          "Ob Documenso den Unterzeichnern E-Mails sendet. Andernfalls senden Sie ihnen ihre Links selbst.",
      },
    },
  },
  es: {
    properties: {
      url: {
        title: "Dirección",
        description:
          "https://app.documenso.com (si se omite) o la dirección de su propio servidor, sin ruta.",
      },
      apiKey: {
        title: "Token de API",
        description:
          "Empieza por api_. En Documenso: ajustes del equipo, «API tokens».",
      },
      webhookSecret: {
        title: "Secreto del webhook",
        description:
          "El secreto que introduce en Documenso para el webhook. Sin él, Platen consulta periódicamente los cambios a Documenso.",
      },
      sendEmail: {
        title: "Enviar correos",
        description:
          "Si Documenso envía correos a los firmantes. Si no, les envía usted mismo sus enlaces.",
      },
    },
  },
  fr: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "https://app.documenso.com (si le champ est vide) ou l’adresse de votre propre serveur, sans chemin.",
      },
      apiKey: {
        title: "Jeton d’API",
        description:
          "Commence par api_. Dans Documenso : paramètres de l’équipe, « API tokens ».",
      },
      webhookSecret: {
        title: "Secret du webhook",
        description:
          "Le secret que vous saisissez dans Documenso pour le webhook. Sans lui, Platen interroge régulièrement Documenso pour connaître les changements.",
      },
      sendEmail: {
        title: "Envoyer des e-mails",
        description:
          "Indique si Documenso envoie des e-mails aux signataires. Sinon, vous leur envoyez vous-même leurs liens.",
      },
    },
  },
};
