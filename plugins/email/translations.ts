import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    title: "E-Mail (SMTP)",
    properties: {
      host: {
        title: "Mailserver",
        description: "Zum Beispiel smtp.example.com.",
      },
      port: {
        title: "Port",
        description: "Ohne Angabe 587, mit TLS 465.",
      },
      security: {
        title: "Verschlüsselung",
        description:
          "starttls beginnt unverschlüsselt und besteht dann auf Verschlüsselung; none überträgt Passwörter und E-Mails unverschlüsselt.",
      },
      user: { title: "Benutzer" },
      password: { title: "Passwort" },
      from: {
        title: "Absender",
        description:
          "Zum Beispiel „Unser Laden <billing@example.com>“. Unzustellbare E-Mails gehen an diese Adresse zurück; Platen liest sie nicht.",
      },
    },
  },
  es: {
    title: "Correo electrónico (SMTP)",
    properties: {
      host: {
        title: "Servidor de correo",
        description: "Por ejemplo, smtp.example.com.",
      },
      port: {
        title: "Puerto",
        description: "Predeterminado: 587, o 465 con TLS.",
      },
      security: {
        title: "Cifrado",
        description:
          "starttls empieza sin cifrar y luego exige el cifrado; none envía contraseñas y correos sin cifrar.",
      },
      user: { title: "Usuario" },
      password: { title: "Contraseña" },
      from: {
        title: "Remitente",
        description:
          "Por ejemplo, «Nuestra tienda <billing@example.com>». Los correos devueltos llegan a esta dirección; Platen no los lee.",
      },
    },
  },
  fr: {
    title: "E-mail (SMTP)",
    properties: {
      host: {
        title: "Serveur de messagerie",
        description: "Par exemple smtp.example.com.",
      },
      port: {
        title: "Port",
        description: "Par défaut : 587, ou 465 avec TLS.",
      },
      security: {
        title: "Chiffrement",
        description:
          "starttls commence sans chiffrement, puis l’exige ; none envoie les mots de passe et les e-mails en clair.",
      },
      user: { title: "Utilisateur" },
      password: { title: "Mot de passe" },
      from: {
        title: "Expéditeur",
        description:
          "Par exemple « Notre boutique <billing@example.com> ». Les e-mails refusés reviennent à cette adresse ; Platen ne les lit pas.",
      },
    },
  },
};

export const targetTranslations: SettingsTranslations = {
  de: {
    properties: {
      to: {
        title: "An",
        description:
          "Adressen, durch Kommas, Semikolons oder Zeilen getrennt, zum Beispiel {{root.customer.email}}.",
      },
      cc: { title: "Cc" },
      bcc: { title: "Bcc" },
      replyTo: { title: "Antwort an" },
      testTo: {
        title: "Stattdessen senden an",
        description:
          "Zum Testen: Alles geht an diese Adresse und nichts an die anderen. me ist die Adresse der Person, die den Stapel startet.",
      },
    },
  },
  es: {
    properties: {
      to: {
        title: "Para",
        description:
          "Direcciones separadas por comas, puntos y comas o líneas, por ejemplo {{root.customer.email}}.",
      },
      cc: { title: "Cc" },
      bcc: { title: "Cco" },
      replyTo: { title: "Responder a" },
      testTo: {
        title: "Enviar en su lugar a",
        description:
          "Una prueba: todo va a esta dirección y nada a las demás. me es la dirección de quien inicia el lote.",
      },
    },
  },
  fr: {
    properties: {
      to: {
        title: "À",
        description:
          "Adresses séparées par des virgules, des points-virgules ou des lignes, par exemple {{root.customer.email}}.",
      },
      cc: { title: "Cc" },
      bcc: { title: "Cci" },
      replyTo: { title: "Répondre à" },
      testTo: {
        title: "Envoyer plutôt à",
        description:
          "Un test : tout va à cette adresse et rien aux autres. me est l’adresse de la personne qui lance le lot.",
      },
    },
  },
};
