import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "Die Adresse Ihres NocoDB, zum Beispiel https://app.nocodb.com.",
      },
      token: {
        title: "API-Token",
        description:
          "In NocoDB: Ihr Profilbild, „Account settings“, „Tokens“, „Add new API token“.",
      },
    },
  },
  es: {
    properties: {
      url: {
        title: "Dirección",
        description:
          "La dirección de su NocoDB, por ejemplo https://app.nocodb.com.",
      },
      token: {
        title: "Token de API",
        description:
          "En NocoDB: su imagen de perfil, «Account settings», «Tokens», «Add new API token».",
      },
    },
  },
  fr: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "L’adresse de votre NocoDB, par exemple https://app.nocodb.com.",
      },
      token: {
        title: "Jeton d’API",
        description:
          "Dans NocoDB : votre photo de profil, « Account settings », « Tokens », « Add new API token ».",
      },
    },
  },
};
