import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const deliveries = {
  delivery: "Entrega",
  pluginsLead:
    "Enviar los documentos terminados: por correo electrónico o a un almacenamiento.",
  templateLead:
    "Adónde va cada documento cuando está listo, salvo que un lote, un enlace o una automatización indique otra cosa.",
  couldntLoad: "No se han podido cargar las conexiones",
  none: "Sin entrega",
  noneHelp:
    "Los documentos se pueden descargar hasta que caduquen. Añada una entrega para enviar cada uno por correo electrónico o a un almacenamiento.",
  add: "Añadir entrega",
  edit: "Editar entrega",
  editName: "Editar la entrega a {{name}}",
  removeName: "Quitar la entrega a {{name}}",
  saved: "Entrega guardada",
  to: "Entregar a",
  serviceMail: "Correo electrónico de este servicio",
  unknownConnection: "Conexión eliminada",
  connectionsHelp:
    "Los buzones y almacenamientos se añaden en <link>Conexiones</link>.",
  emailTemplate: "Plantilla de correo",
  subjectOfTemplate: "Como en la plantilla de correo",
  subjectOfDocument: "El nombre del documento",
  options: "Opciones",
  files: "Archivos en el correo",
  attached: "Adjuntos",
  linked: "Como enlaces",
  formatsHelp: "Sin selección: todos los archivos del documento.",
  testMode: "Modo de prueba",
  testOff: "Desactivado: a los destinatarios",
  testToStarter: "Todo a quien inicia el lote",
  testToAddress: "Todo a una dirección…",
  testAddress: "Dirección para pruebas",
  filename: "Nombre del archivo",
  filenameHelp: "Sin extensión. Predeterminado: el nombre del documento.",
  insertFieldInto: "Insertar un campo en {{label}}",
  delivered: "Entregados: {{succeeded, number}}",
  unknown: "quizá hayan llegado: {{unknown, number}}",
  notDelivered: "No entregado",
  retry: "Reintentar entregas con error",
  retrying: "Se está entregando de nuevo.",
  sendAgain: "Enviar de nuevo lo que quizá haya llegado",
  sendAgainWarning_one:
    "No se sabe si {{count, number}} entrega ha llegado. Pregunte antes al destinatario: podría recibirla dos veces.",
  sendAgainWarning_many:
    "No se sabe si {{count, number}} de entregas han llegado. Pregunte antes a los destinatarios: podrían recibirlas dos veces.",
  sendAgainWarning_other:
    "No se sabe si {{count, number}} entregas han llegado. Pregunte antes a los destinatarios: podrían recibirlas dos veces.",
} as const satisfies Translation<typeof en.deliveries, "es">;
