import type { Translation } from "../../plugin-api/languages.js";
import type { en } from "./en.js";

export const es = {
  brand: "Platen",
  tryAgain: "Reintentar",
  detailsForCreator: "Detalles para quien configuró esto",
  oneMoment: "Un momento…",

  confirmTitle: "{{name}}: crear documentos",
  createQuestion_one: "¿Crear este documento?",
  createQuestion_many: "¿Crear {{count, number}} de documentos?",
  createQuestion_other: "¿Crear {{count, number}} documentos?",
  recordsMissing_one:
    "Un registro ya no está en la tabla «{{table}}» y se omitirá.",
  recordsMissing_many:
    "{{count, number}} de registros ya no están en la tabla «{{table}}» y se omitirán.",
  recordsMissing_other:
    "{{count, number}} registros ya no están en la tabla «{{table}}» y se omitirán.",
  template: "Plantilla",
  records_one: "Registro",
  records_many: "Registros",
  records_other: "Registros",
  allInView: "Todos los registros de la vista «{{view}}»",
  allMatching: "Todos los registros que cumplen el filtro del botón",
  allWithoutFile: "Todos los registros sin archivo en «{{field}}»",
  firstRecords_one: "Hay más registros. Se crea el documento del primero.",
  firstRecords_many:
    "Hay más registros. Se crean los documentos de los primeros {{count, number}}.",
  firstRecords_other:
    "Hay más registros. Se crean los documentos de los primeros {{count, number}}.",
  openAgain: "Abra esta página otra vez para los demás.",
  othersLater:
    "Los demás se pueden crear cuando estos ya no estén seleccionados.",
  moreRecords: "y {{count, number}} más",
  youGet: "Recibirá",
  formats_one: "{{formats}}",
  formats_many: "{{formats}} por cada registro",
  formats_other: "{{formats}} por cada registro",
  savedIn: "Se guarda en",
  fieldOfTable: "El campo «{{field}}» de «{{table}}»",
  replacesFiles: "Se sustituyen los archivos del campo.",
  create_one: "Crear documento",
  create_many: "Crear {{count, number}} de documentos",
  create_other: "Crear {{count, number}} documentos",
  worksUntil: "Válido hasta",
  timeUtc: "{{time}} (UTC)",
  nothingYet: "No se crea nada hasta que pulse este botón.",
  previewAlt:
    "Primera página de la plantilla {{template}} con datos de ejemplo",
  previewCaption: "La plantilla con datos de ejemplo",

  pdf: "un PDF",
  html: "una página web",
  image: "una imagen",
  mjml: "un código fuente de correo",
  xml: "una factura electrónica",

  progress: "Progreso",
  creating_one: "Creando su documento…",
  creating_many: "Creando {{count, number}} de documentos…",
  creating_other: "Creando {{count, number}} documentos…",
  saving_one: "Guardando su archivo…",
  saving_many: "Guardando sus archivos…",
  saving_other: "Guardando sus archivos…",
  ready_one: "Su documento está listo",
  ready_many: "Sus {{count, number}} de documentos están listos",
  ready_other: "Sus {{count, number}} documentos están listos",
  unsaved_one: "Su documento se creó, pero no se guardó",
  unsaved_many:
    "Sus {{count, number}} de documentos se crearon, pero no se guardaron",
  unsaved_other:
    "Sus {{count, number}} documentos se crearon, pero no se guardaron",
  someUnsaved:
    "{{unsaved, number}} de {{total, number}} documentos no se pudieron guardar",
  notCreated_one: "No se pudo crear el documento",
  notCreated_many: "No se pudieron crear los documentos",
  notCreated_other: "No se pudieron crear los documentos",
  someReady: "{{ready, number}} de {{total, number}} documentos listos",
  readySoFar:
    "{{ready, number}} de {{total, number}} listos. Puede dejar esta página abierta o volver más tarde.",
  readyAndFailedSoFar:
    "{{ready, number}} de {{total, number}} listos, {{failed, number}} sin crear. Puede dejar esta página abierta o volver más tarde.",
  notSaved_one:
    "El archivo no se pudo guardar en su tabla. No se ha perdido: descárguelo aquí.",
  notSaved_many:
    "{{count, number}} de archivos no se pudieron guardar en su tabla. No se han perdido: descárguelos aquí.",
  notSaved_other:
    "{{count, number}} archivos no se pudieron guardar en su tabla. No se han perdido: descárguelos aquí.",
  saved_one: "Está guardado en el campo «{{field}}». Puede cerrar esta página.",
  saved_many:
    "Están guardados en el campo «{{field}}». Puede cerrar esta página.",
  saved_other:
    "Están guardados en el campo «{{field}}». Puede cerrar esta página.",
  download_one: "Descárguelo aquí.",
  download_many: "Descárguelos aquí.",
  download_other: "Descárguelos aquí.",
  nothingSaved: "No se guardó nada en su tabla.",
  opensInNewTab: "(se abre en una pestaña nueva)",
  saveAgain: "Volver a guardar",
  notListed_one: "{{count, number}} más no aparece aquí.",
  notListed_many: "{{count, number}} más no aparecen aquí.",
  notListed_other: "{{count, number}} más no aparecen aquí.",
  filesUntil: "Puede descargar aquí los archivos hasta el {{time}} (UTC).",

  documentWaiting: "En espera",
  documentRendering: "Creando…",
  documentReady: "Listo",
  documentSaving: "Guardando en «{{field}}»…",
  documentSaved: "Guardado en «{{field}}»",
  documentNotSaved: "Creado, pero no guardado en «{{field}}».",
  documentExpired: "Sin crear: tardó demasiado.",
  documentFailed: "Sin crear: algo del registro no encaja con la plantilla.",

  linkUnusable: "Este enlace no se puede usar",
  revokedWhy: "Su propietario lo revocó.",
  deletedWhy: "Ya no existe.",
  incompleteWhy:
    "Está incompleto o pertenece a otro servicio. Cópielo de nuevo desde donde se creó.",
  linkExpired: "Este enlace ha vencido",
  expiredWhy: "Era válido hasta una fecha que fijó su propietario.",
  startAgain: "Empiece de nuevo",
  filesGone: "Los archivos ya no están disponibles",
  requestId: "ID de la petición: {{id}}",
  askOwner: "Consulte a la persona que configuró esto.",
  paused: "Este botón está en pausa",
  pausedWhy: "Su propietario lo ha desactivado por ahora. No se creó nada.",
  nothingToCreate: "No hay nada que crear ahora",
  noneInView: "No hay registros en la vista «{{view}}».",
  noneMatching: "Ningún registro de «{{table}}» cumple el filtro del botón.",
  noneWithoutFile:
    "Todos los registros de «{{table}}» tienen un archivo en «{{field}}» o lo están recibiendo.",
  noneLeft:
    "Los registros han cambiado o alguien ya creó estos documentos. No se creó nada.",
  noRecord: "Ningún registro seleccionado",
  noRecordHelp:
    "Este enlace crea un documento a partir de un registro de su tabla. Ábralo con el botón o la fórmula de ese registro.",
  recordNotFound: "Registro no encontrado",
  recordNotFoundWhy:
    "Se eliminó o el enlace pertenece a otra tabla. No se creó nada.",
  recordNotFoundHelp: "Vuelva a su tabla y use el botón de un registro.",
  tooManyRecords: "Demasiados registros",
  tooManyRecordsHelp:
    "Seleccione menos registros y repita el proceso para los demás.",
  removed: "Esta página ya no está disponible",
  removedWhy:
    "Se eliminó la plantilla, la conexión o la página de este enlace.",
  outdated: "Este enlace necesita una actualización",
  outdatedWhy:
    "La plantilla, la tabla o el enlace ha cambiado desde que se creó el enlace. No se creó nada.",
  busy: "Demasiadas peticiones en este momento",
  waitAMinute: "No se creó nada. Espere un minuto e inténtelo de nuevo.",
  unexpected: "Algo salió mal",
  unexpectedHelp: "No es culpa suya. Inténtelo de nuevo en un minuto.",
  accessDenied: "Platen no tiene acceso a su tabla",
  quotaUsedUp: "La cuota de la tabla se agotó",
  quotaUsedUpWhy:
    "La plataforma no acepta más peticiones hasta que su cuota se renueve o se amplíe.",
  accessDeniedWhy:
    "Se quitó el acceso o cambió la contraseña. No se creó nada.",
  notResponding: "Su tabla no responde",
  tableChanged: "Su tabla ha cambiado",
  tableChangedWhy:
    "Se renombró o eliminó una tabla o un campo que este enlace necesita. No se creó nada.",
} as const satisfies Translation<typeof en, "es">;
