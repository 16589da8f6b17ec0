export const certificate = {
  title: "Certificado de firma",
  lead: "Acredita quién emitió un PDF y que nadie lo ha modificado desde entonces.",
  couldntLoad: "No se pudo cargar el certificado",
  noneYet: "Aún no hay certificado",
  noneYetHelp:
    "Necesita un archivo PKCS#12 (.p12 o .pfx) con un certificado para firmar documentos y su clave privada.",
  howTo: "Cómo obtener uno",
  store: "Añadir un certificado",
  replace: "Sustituir el certificado",
  deleteIt: "¿Eliminar el certificado?",
  whatDeletingDoes:
    "Los documentos de las plantillas que se firman fallan hasta que haya otro. Los PDF ya firmados siguen siendo válidos.",
  deleted: "El certificado se ha eliminado.",
  stored: "El certificado se ha guardado.",
  subject: "Emitido para",
  issuer: "Emitido por",
  valid: "Validez",
  fromUntil: "del {{from}} al {{until}}",
  key: "Clave",
  timestampServer: "Servidor de sellos de tiempo",
  noServer: "Ninguno",
  serialNumber: "Número de serie",
  fingerprint: "Huella (SHA-256)",
  expired: "El certificado caducó el {{day}}",
  documentsFail:
    "Los documentos que deben firmarse fallan hasta que lo sustituya.",
  expires: "El certificado caduca el {{day}}",
  replaceBefore:
    "Sustitúyalo antes. Después, los documentos que deben firmarse fallan.",
  chooseFileFirst: "Elija primero el archivo del certificado.",
  chooseFile: "Elegir un archivo",
  fileHelp: "Archivo PKCS#12 (.p12 o .pfx), con la clave privada",
  timestampHelp:
    "Opcional. Su autoridad de certificación indica la dirección (RFC 3161). Acredita la hora de cada firma.",
  password: "Contraseña del archivo",
};
