export const certificate = {
  title: "Signaturzertifikat",
  lead: "Belegt, wer ein PDF ausgestellt hat und dass es seitdem niemand geändert hat.",
  couldntLoad: "Das Zertifikat konnte nicht geladen werden",
  noneYet: "Noch kein Zertifikat",
  noneYetHelp:
    "Sie brauchen eine PKCS#12-Datei (.p12 oder .pfx) mit einem Zertifikat zum Signieren von Dokumenten und seinem privaten Schlüssel.",
  howTo: "So erhalten Sie eines",
  store: "Zertifikat hinzufügen",
  replace: "Zertifikat ersetzen",
  deleteIt: "Zertifikat löschen?",
  whatDeletingDoes:
    "Dokumente von Vorlagen, die signiert werden, schlagen fehl, bis es ein neues gibt. Bereits signierte PDFs bleiben gültig.",
  deleted: "Das Zertifikat ist gelöscht.",
  stored: "Das Zertifikat ist gespeichert.",
  subject: "Ausgestellt für",
  issuer: "Ausgestellt von",
  valid: "Gültig",
  fromUntil: "{{from}} bis {{until}}",
  key: "Schlüssel",
  timestampServer: "Zeitstempelserver",
  noServer: "Keiner",
  serialNumber: "Seriennummer",
  fingerprint: "Fingerabdruck (SHA-256)",
  expired: "Das Zertifikat ist am {{day}} abgelaufen",
  documentsFail:
    "Dokumente, die signiert werden müssen, schlagen fehl, bis Sie es ersetzen.",
  expires: "Das Zertifikat läuft am {{day}} ab",
  replaceBefore:
    "Ersetzen Sie es vorher. Danach schlagen Dokumente fehl, die signiert werden müssen.",
  chooseFileFirst: "Wählen Sie zuerst die Datei des Zertifikats.",
  chooseFile: "Datei wählen",
  fileHelp: "PKCS#12-Datei (.p12 oder .pfx) mit dem privaten Schlüssel",
  timestampHelp:
    "Optional. Die Adresse (RFC 3161) nennt Ihre Zertifizierungsstelle. Er belegt den Zeitpunkt jeder Signatur.",
  password: "Passwort der Datei",
};
