import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "Die Adresse Ihres Directus, zum Beispiel https://directus.example.com.",
      },
      token: {
        title: "Statisches Token",
        description:
          "In Directus: „User Directory“, der Benutzer, „Token“, „Generate Token“. Speichern Sie dann den Benutzer.",
      },
    },
  },
  es: {
    properties: {
      url: {
        title: "Dirección",
        description:
          "La dirección de su Directus, por ejemplo https://directus.example.com.",
      },
      token: {
        title: "Token estático",
        description:
          "En Directus: «User Directory», el usuario, «Token», «Generate Token». Después, guarde el usuario.",
      },
    },
  },
  fr: {
    properties: {
      url: {
        title: "Adresse",
        description:
          "L’adresse de votre Directus, par exemple https://directus.example.com.",
      },
      token: {
        title: "Jeton statique",
        description:
          "Dans Directus : « User Directory », l’utilisateur, « Token », « Generate Token ». Enregistrez ensuite l’utilisateur.",
      },
    },
  },
};
