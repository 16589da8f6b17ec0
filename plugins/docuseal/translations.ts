import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "https://api.docuseal.com (ohne Angabe), https://api.docuseal.eu oder die Adresse Ihres eigenen Servers, zum Beispiel https://sign.example.com.",
      },
      apiKey: {
        title: "API-Schlüssel",
        description:
          "In DocuSeal: „Console“, „API“; auf Ihrem eigenen Server: „Settings“, „API“.",
      },
      webhookSecret: {
        title: "Webhook-Geheimnis",
        description:
          "Beginnt mit whsec_. In DocuSeal: „Webhooks“, das Geheimnis des Webhooks. Ohne Geheimnis fragt Platen Änderungen regelmäßig bei DocuSeal ab.",
      },
      sendEmail: {
        title: "E-Mails senden",
        description:
          "Ob DocuSeal den Unterzeichnern E-Mails sendet. Andernfalls senden Sie ihnen ihre Links selbst.",
      },
    },
  },
  es: {
    properties: {
      url: {
        title: "Dirección",
        description:
          "https://api.docuseal.com (si se omite), https://api.docuseal.eu o la dirección de su propio servidor, por ejemplo https://sign.example.com.",
      },
      apiKey: {
        title: "Clave de API",
        description:
          "En DocuSeal: «Console», «API»; en su propio servidor: «Settings», «API».",
      },
      webhookSecret: {
        title: "Secreto del webhook",
        description:
          "Empieza por whsec_. En DocuSeal: «Webhooks», el secreto del webhook. Sin él, Platen consulta periódicamente los cambios a DocuSeal.",
      },
      sendEmail: {
        title: "Enviar correos",
        description:
          "Si DocuSeal envía correos a los firmantes. Si no, les envía usted mismo sus enlaces.",
      },
    },
  },
  fr: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "https://api.docuseal.com (si le champ est vide), https://api.docuseal.eu ou l’adresse de votre propre serveur, par exemple https://sign.example.com.",
      },
      apiKey: {
        title: "Clé d’API",
        description:
          "Dans DocuSeal : « Console », « API » ; sur votre propre serveur : « Settings », « API ».",
      },
      webhookSecret: {
        title: "Secret du webhook",
        description:
          "Commence par whsec_. Dans DocuSeal : « Webhooks », le secret du webhook. Sans lui, Platen interroge régulièrement DocuSeal pour connaître les changements.",
      },
      sendEmail: {
        title: "Envoyer des e-mails",
        description:
          "Indique si DocuSeal envoie des e-mails aux signataires. Sinon, vous leur envoyez vous-même leurs liens.",
      },
    },
  },
};
