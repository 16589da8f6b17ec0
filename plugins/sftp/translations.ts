import { translateSettings } from "../lib/translations.js";

export const translations = translateSettings(
  {
    de: {
      host: ["Server", "Zum Beispiel sftp.example.com."],
      port: ["Port", "Ohne Angabe 22."],
      user: "Benutzer",
      password: ["Passwort", "Dieses oder ein privater Schlüssel."],
      privateKey: [
        "Privater Schlüssel",
        "Die ganze Datei, zum Beispiel id_ed25519. Ihr öffentlicher Schlüssel muss auf dem Server liegen.",
      ],
      passphrase: "Passphrase des Schlüssels",
      hostKeyFingerprint: [
        "Fingerabdruck des Serverschlüssels",
        "SHA256:… beweist, dass es der richtige Server ist. Ohne ihn zeigt die Prüfung den des Servers: Vergleichen Sie ihn mit der Angabe des Administrators.",
      ],
      folder: [
        "Ordner",
        "Alle Dateien liegen darunter, zum Beispiel /srv/documents. Ohne / am Anfang liegt er in dem Ordner, in dem der Benutzer sich anmeldet.",
      ],
    },
    es: {
      host: ["Servidor", "Por ejemplo, sftp.example.com."],
      port: ["Puerto", "Predeterminado: 22."],
      user: "Usuario",
      password: ["Contraseña", "Esta o una clave privada."],
      privateKey: [
        "Clave privada",
        "El archivo completo, por ejemplo id_ed25519. Su clave pública debe estar en el servidor.",
      ],
      passphrase: "Frase de contraseña de la clave",
      hostKeyFingerprint: [
        "Huella de la clave del servidor",
        "SHA256:… demuestra que es el servidor correcto. Sin ella, la prueba muestra la del servidor: compárela con la que indique su administrador.",
      ],
      folder: [
        "Carpeta",
        "Todos los archivos van dentro de ella, por ejemplo /srv/documents. Sin / al principio, está en la carpeta en la que el usuario inicia sesión.",
      ],
    },
    fr: {
      host: ["Serveur", "Par exemple sftp.example.com."],
      port: ["Port", "Par défaut : 22."],
      user: "Utilisateur",
      password: ["Mot de passe", "Celui-ci, ou une clé privée."],
      privateKey: [
        "Clé privée",
        "Le fichier entier, par exemple id_ed25519. Sa clé publique doit se trouver sur le serveur.",
      ],
      passphrase: "Phrase secrète de la clé",
      hostKeyFingerprint: [
        "Empreinte de la clé du serveur",
        "SHA256:… prouve qu’il s’agit du bon serveur. Sans elle, le test affiche celle du serveur : comparez-la à celle que donne son administrateur.",
      ],
      folder: [
        "Dossier",
        "Tous les fichiers y sont placés, par exemple /srv/documents. Sans / au début, il se trouve dans le dossier où l’utilisateur se connecte.",
      ],
    },
  },
  { de: "SFTP-Server", es: "Servidor SFTP", fr: "Serveur SFTP" },
);

export const targetTranslations = translateSettings({
  de: {
    folder: [
      "Ordner",
      "Zum Beispiel invoices/{{root.year}}. Er wird angelegt, wenn er fehlt; eine Datei gleichen Namens darin wird ersetzt.",
    ],
  },
  es: {
    folder: [
      "Carpeta",
      "Por ejemplo, invoices/{{root.year}}. Se crea si falta; se reemplaza el archivo del mismo nombre que haya en ella.",
    ],
  },
  fr: {
    folder: [
      "Dossier",
      "Par exemple invoices/{{root.year}}. Il est créé s’il manque ; un fichier du même nom y est remplacé.",
    ],
  },
});
