import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const documents = {
  notSaved: "Sin guardar",
  lead: "Todos los documentos generados, los más recientes primero. La lista se actualiza sola.",
  filterDocuments: "Filtrar documentos",
  searchDocuments: "Buscar documentos",
  template: "Plantilla",
  allTemplates: "Todas las plantillas",
  showAll: "Borrar los filtros",
  noDocumentsYet: "Aún no hay documentos",
  noMatchingDocuments: "Ningún documento coincide",
  noDocumentsHelp:
    "Abra una plantilla para crear uno. Aquí aparecen también los documentos creados con la API.",
  tryAnotherFilter:
    "Pruebe otro filtro. La búsqueda abarca nombres de archivo, nombres de plantilla, errores e ID de documento.",
  onlyNewest:
    "Solo se muestran los {{maximum, number}} resultados más recientes. Acote la búsqueda para encontrar documentos más antiguos.",
  filesDeleted: "Archivos eliminados",
  agoByName: "{{ago}}, por {{name}}",
  templateAgoByName: "{{template}}, {{ago}}, por {{name}}",
} as const satisfies Translation<typeof en.documents, "es">;

export const batches = {
  couldntLoadBatch: "No se pudo cargar el lote",
  batchNotFound: "Lote no encontrado.",
  batchOfName: "Lote de {{name}}",
  summary_one: "{{count, number}} documento, {{ago}}, por {{createdBy}}",
  summary_many: "{{count, number}} de documentos, {{ago}}, por {{createdBy}}",
  summary_other: "{{count, number}} documentos, {{ago}}, por {{createdBy}}",
  progress: "Progreso",
  retryOf: "Reintento de los documentos con error de <link>otro lote</link>.",
  retryStarted: "Se inició un lote nuevo para estos documentos.",
  cancelBatch: "Cancelar lote",
  retryFailedDocuments: "Reintentar los que tienen error",
  retryExpiredDocuments: "Reintentar los de plazo vencido",
  downloadAll: "Descargar todo",
  cancelThisBatch: "¿Cancelar este lote?",
  keepRunning: "Seguir",
  cancelWarning_one:
    "No se creará {{count, number}} documento en cola. Los que se están generando se completarán y los terminados se conservan.",
  cancelWarning_many:
    "No se crearán {{count, number}} de documentos en cola. Los que se están generando se completarán y los terminados se conservan.",
  cancelWarning_other:
    "No se crearán {{count, number}} documentos en cola. Los que se están generando se completarán y los terminados se conservan.",
  retryingFailedFiles: "Reintentando los archivos con error.",
  retryFailedFiles: "Reintentar archivos con error",
  documentsOfBatch: "Documentos del lote",
  couldntLoadDocuments: "No se pudieron cargar los documentos",
  lead: "Cada lote crea un documento por registro. La lista se actualiza sola.",
  couldntLoadBatches: "No se pudieron cargar los lotes",
  noBatchesYet: "Aún no hay lotes",
  noBatchesHelp:
    "Inicie lotes con la API o con un botón de una hoja de cálculo. Aquí aparecen su progreso y sus errores.",
  failedFailed: "{{failed}} con error",
  doneWithFailures: "Terminado con errores",
  whatFailed_one: "Por qué falló {{count, number}} documento",
  whatFailed_many: "Por qué fallaron {{count, number}} de documentos",
  whatFailed_other: "Por qué fallaron {{count, number}} documentos",
  otherErrors_one: "{{count, number}} documento falló por otro motivo.",
  otherErrors_many:
    "{{count, number}} de documentos fallaron por otros motivos.",
  otherErrors_other: "{{count, number}} documentos fallaron por otros motivos.",
  canceling: "Cancelando",
  canceled: "Cancelado",
  finishedDocuments: "Documentos terminados",
  endedOfTotalCount: "{{ended, number}} de {{totalCount, number}}",
  filesSaved: "Archivos guardados en la tabla: {{succeeded, number}}",
  filesPending: "pendientes: {{pending, number}}",
  filesFailed: "con error: {{failed, number}}",
  savingFiles: "Guardando",
  filesNotSaved_one: "{{count, number}} archivo sin guardar",
  filesNotSaved_many: "{{count, number}} de archivos sin guardar",
  filesNotSaved_other: "{{count, number}} archivos sin guardar",
} as const satisfies Translation<typeof en.batches, "es">;

export const usage = {
  lead: "Documentos creados por día. No se cuentan las pruebas ni los errores. Los días son en UTC.",
  previousMonth: "Mes anterior",
  nextMonth: "Mes siguiente",
  couldntLoadUsage: "No se pudo cargar el uso",
  noDocumentsThisMonth: "Sin documentos este mes",
  documentsAppearHere:
    "Aquí aparecen los documentos que crea. Las pruebas no se cuentan.",
  byDay: "Por día",
  countDocuments_one: "{{count, number}} documento",
  countDocuments_many: "{{count, number}} de documentos",
  countDocuments_other: "{{count, number}} documentos",
  chartOfMonth: "Gráfico del mes",
  asTable: "Como tabla",
  day: "Día",
} as const satisfies Translation<typeof en.usage, "es">;
