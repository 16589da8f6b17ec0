import { translateSettings } from "../lib/translations.js";

export const translations = translateSettings(
  {
    de: {
      host: ["Mailserver", "Zum Beispiel smtp.example.com."],
      port: ["Port", "Ohne Angabe 587, mit TLS 465."],
      security: [
        "Verschlüsselung",
        "starttls beginnt unverschlüsselt und besteht dann auf Verschlüsselung; none überträgt Passwörter und E-Mails unverschlüsselt.",
      ],
      user: "Benutzer",
      password: "Passwort",
      from: [
        "Absender",
        "Zum Beispiel „Unser Laden <billing@example.com>“. Unzustellbare E-Mails gehen an diese Adresse zurück; Platen liest sie nicht.",
      ],
    },
    es: {
      host: ["Servidor de correo", "Por ejemplo, smtp.example.com."],
      port: ["Puerto", "Predeterminado: 587, o 465 con TLS."],
      security: [
        "Cifrado",
        "starttls empieza sin cifrar y luego exige el cifrado; none envía contraseñas y correos sin cifrar.",
      ],
      user: "Usuario",
      password: "Contraseña",
      from: [
        "Remitente",
        "Por ejemplo, «Nuestra tienda <billing@example.com>». Los correos devueltos llegan a esta dirección; Platen no los lee.",
      ],
    },
    fr: {
      host: ["Serveur de messagerie", "Par exemple smtp.example.com."],
      port: ["Port", "Par défaut : 587, ou 465 avec TLS."],
      security: [
        "Chiffrement",
        "starttls commence sans chiffrement, puis l’exige ; none envoie les mots de passe et les e-mails en clair.",
      ],
      user: "Utilisateur",
      password: "Mot de passe",
      from: [
        "Expéditeur",
        "Par exemple « Notre boutique <billing@example.com> ». Les e-mails refusés reviennent à cette adresse ; Platen ne les lit pas.",
      ],
    },
  },
  { de: "E-Mail (SMTP)", es: "Correo electrónico (SMTP)", fr: "E-mail (SMTP)" },
);

export const targetTranslations = translateSettings({
  de: {
    to: [
      "An",
      "Adressen, durch Kommas, Semikolons oder Zeilen getrennt, zum Beispiel {{root.customer.email}}.",
    ],
    cc: "Cc",
    bcc: "Bcc",
    replyTo: "Antwort an",
    testTo: [
      "Stattdessen senden an",
      "Zum Testen: Alles geht an diese Adresse und nichts an die anderen. me ist die Adresse der Person, die den Stapel startet.",
    ],
  },
  es: {
    to: [
      "Para",
      "Direcciones separadas por comas, puntos y comas o líneas, por ejemplo {{root.customer.email}}.",
    ],
    cc: "Cc",
    bcc: "Cco",
    replyTo: "Responder a",
    testTo: [
      "Enviar en su lugar a",
      "Una prueba: todo va a esta dirección y nada a las demás. me es la dirección de quien inicia el lote.",
    ],
  },
  fr: {
    to: [
      "À",
      "Adresses séparées par des virgules, des points-virgules ou des lignes, par exemple {{root.customer.email}}.",
    ],
    cc: "Cc",
    bcc: "Cci",
    replyTo: "Répondre à",
    testTo: [
      "Envoyer plutôt à",
      "Un test : tout va à cette adresse et rien aux autres. me est l’adresse de la personne qui lance le lot.",
    ],
  },
});
