import { createCredentialsSchema } from "../lib/esign-server.js";

export const credentialsSchema = createCredentialsSchema("DocuSeal", {
  en: {
    url: "https://api.docuseal.com (when left out), https://api.docuseal.eu, or the address of your own server, such as https://sign.example.com.",
    apiKeyTitle: "API key",
    apiKey: "In DocuSeal: Console, API; on your own server: Settings, API.",
    webhookSecret:
      "Begins with whsec_. In DocuSeal: Webhooks, the webhook's secret.",
  },
  de: {
    url: "https://api.docuseal.com (ohne Angabe), https://api.docuseal.eu oder die Adresse Ihres eigenen Servers, zum Beispiel https://sign.example.com.",
    apiKeyTitle: "API-Schlüssel",
    apiKey:
      "In DocuSeal: „Console“, „API“; auf Ihrem eigenen Server: „Settings“, „API“.",
    webhookSecret:
      "Beginnt mit whsec_. In DocuSeal: „Webhooks“, das Geheimnis des Webhooks.",
  },
  es: {
    url: "https://api.docuseal.com (si se omite), https://api.docuseal.eu o la dirección de su propio servidor, por ejemplo https://sign.example.com.",
    apiKeyTitle: "Clave de API",
    apiKey:
      "En DocuSeal: «Console», «API»; en su propio servidor: «Settings», «API».",
    webhookSecret:
      "Empieza por whsec_. En DocuSeal: «Webhooks», el secreto del webhook.",
  },
  fr: {
    url: "https://api.docuseal.com (si le champ est vide), https://api.docuseal.eu ou l’adresse de votre propre serveur, par exemple https://sign.example.com.",
    apiKeyTitle: "Clé d’API",
    apiKey:
      "Dans DocuSeal : « Console », « API » ; sur votre propre serveur : « Settings », « API ».",
    webhookSecret:
      "Commence par whsec_. Dans DocuSeal : « Webhooks », le secret du webhook.",
  },
});
