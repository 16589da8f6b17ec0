import type { SettingsTranslations } from "../../core/plugin-api/index.js";

export const translations: SettingsTranslations = {
  de: {
    title: "SFTP-Server",
    properties: {
      host: {
        title: "Server",
        description: "Zum Beispiel sftp.example.com.",
      },
      port: { title: "Port", description: "Ohne Angabe 22." },
      user: { title: "Benutzer" },
      password: {
        title: "Passwort",
        description: "Dieses oder ein privater Schlüssel.",
      },
      privateKey: {
        title: "Privater Schlüssel",
        description:
          "Die ganze Datei, zum Beispiel id_ed25519. Ihr öffentlicher Schlüssel muss auf dem Server liegen.",
      },
      passphrase: { title: "Passphrase des Schlüssels" },
      hostKeyFingerprint: {
        title: "Fingerabdruck des Serverschlüssels",
        description:
          "SHA256:… beweist, dass es der richtige Server ist. Ohne ihn zeigt die Prüfung den des Servers: Vergleichen Sie ihn mit der Angabe des Administrators.",
      },
      folder: {
        title: "Ordner",
        description:
          "Alle Dateien liegen darunter, zum Beispiel /srv/documents. Ohne / am Anfang liegt er in dem Ordner, in dem der Benutzer sich anmeldet.",
      },
    },
  },
  es: {
    title: "Servidor SFTP",
    properties: {
      host: {
        title: "Servidor",
        description: "Por ejemplo, sftp.example.com.",
      },
      port: { title: "Puerto", description: "Predeterminado: 22." },
      user: { title: "Usuario" },
      password: {
        title: "Contraseña",
        description: "Esta o una clave privada.",
      },
      privateKey: {
        title: "Clave privada",
        description:
          "El archivo completo, por ejemplo id_ed25519. Su clave pública debe estar en el servidor.",
      },
      passphrase: { title: "Frase de contraseña de la clave" },
      hostKeyFingerprint: {
        title: "Huella de la clave del servidor",
        description:
          "SHA256:… demuestra que es el servidor correcto. Sin ella, la prueba muestra la del servidor: compárela con la que indique su administrador.",
      },
      folder: {
        title: "Carpeta",
        description:
          "Todos los archivos van dentro de ella, por ejemplo /srv/documents. Sin / al principio, está en la carpeta en la que el usuario inicia sesión.",
      },
    },
  },
  fr: {
    title: "Serveur SFTP",
    properties: {
      host: {
        title: "Serveur",
        description: "Par exemple sftp.example.com.",
      },
      port: { title: "Port", description: "Par défaut : 22." },
      user: { title: "Utilisateur" },
      password: {
        title: "Mot de passe",
        description: "Celui-ci, ou une clé privée.",
      },
      privateKey: {
        title: "Clé privée",
        description:
          "Le fichier entier, par exemple id_ed25519. Sa clé publique doit se trouver sur le serveur.",
      },
      passphrase: { title: "Phrase secrète de la clé" },
      hostKeyFingerprint: {
        title: "Empreinte de la clé du serveur",
        description:
          "SHA256:… prouve qu’il s’agit du bon serveur. Sans elle, le test affiche celle du serveur : comparez-la à celle que donne son administrateur.",
      },
      folder: {
        title: "Dossier",
        description:
          "Tous les fichiers y sont placés, par exemple /srv/documents. Sans / au début, il se trouve dans le dossier où l’utilisateur se connecte.",
      },
    },
  },
};

export const targetTranslations: SettingsTranslations = {
  de: {
    properties: {
      folder: {
        title: "Ordner",
        description:
          "Zum Beispiel invoices/{{root.year}}. Er wird angelegt, wenn er fehlt; eine Datei gleichen Namens darin wird ersetzt.",
      },
    },
  },
  es: {
    properties: {
      folder: {
        title: "Carpeta",
        description:
          "Por ejemplo, invoices/{{root.year}}. Se crea si falta; se reemplaza el archivo del mismo nombre que haya en ella.",
      },
    },
  },
  fr: {
    properties: {
      folder: {
        title: "Dossier",
        description:
          "Par exemple invoices/{{root.year}}. Il est créé s’il manque ; un fichier du même nom y est remplacé.",
      },
    },
  },
};
