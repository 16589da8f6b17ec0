import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const blocks = {
  title: "Bloques reutilizables",
  lead: "Partes que comparten varias plantillas, como un encabezado o los datos de pago. Un cambio aparece en todas ellas.",
  couldntLoad: "No se pudieron cargar los bloques",
  noBlocksYet: "Aún no hay bloques reutilizables",
  noBlocksHelp:
    "Abra una plantilla, seleccione un encabezado, un pie de página u otra parte y elija «Guardar como bloque».",
  notUsed: "Aún sin usar",
  usedBy_one: "Usado en {{count, number}} plantilla",
  usedBy_many: "Usado en {{count, number}} plantillas",
  usedBy_other: "Usado en {{count, number}} plantillas",
  inDraft: "{{name}} (borrador)",
  changedDate: "Cambiado el {{date}}",
  actionsFor: "Acciones para {{title}}",
  deleted: "«{{title}}» se eliminó",
  deleteHelp:
    "Esta acción no se puede deshacer. Un bloque que usan plantillas no se elimina.",
  blocks: "Bloques",
  block: "Bloque",
  blockPurpose: "Una parte que comparten varias plantillas",
  blockMissing: "El bloque «{{name}}» no existe",
  blockMissingHelp:
    "Elimine este componente o guarde un bloque con ese nombre.",
  blockEmpty: "Este bloque está vacío",
  changesAppearEverywhere:
    "Los cambios del bloque aparecen en todas las plantillas que lo usan.",
  editBlock: "Editar el bloque",
  detach: "Separar",
  detachHelp: "Crea una copia que solo tiene esta plantilla.",
  detachTitle: "Separar «{{title}}»",
  saveAsBlock: "Guardar como bloque",
  saveAsBlockHelp:
    "Todas las plantillas podrán usarlo. Los cambios del bloque aparecen en cada una de ellas.",
  blockSaved: "Guardado como bloque «{{title}}»",
  selectWhole:
    "Seleccione toda la tabla, la lista o la fila de columnas para guardarla como bloque.",
  selectNeighbors:
    "Seleccione componentes contiguos para guardarlos como un solo bloque.",
  noBlockInBlock: "Un bloque no puede contener otro bloque. Sepárelo primero.",
  couldntOpen: "No se pudo abrir el bloque",
  backToBlocks: "Volver a los bloques",
  unsavedChanges: "Cambios sin guardar",
  nothingToSave: "No hay cambios",
  savedEverywhere_one:
    "Guardado. {{count, number}} plantilla ya tiene el cambio.",
  savedEverywhere_many:
    "Guardado. {{count, number}} plantillas ya tienen el cambio.",
  savedEverywhere_other:
    "Guardado. {{count, number}} plantillas ya tienen el cambio.",
} as const satisfies Translation<typeof en.blocks, "es">;
