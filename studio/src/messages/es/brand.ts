import type { Translation } from "../../../../core/plugin-api/languages.js";
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
    "Esta acción no se puede deshacer. Los bloques que usan plantillas no se pueden eliminar.",
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
  detachHelp: "Lo convierte en una copia que solo pertenece a esta plantilla.",
  detachTitle: "Separar «{{title}}»",
  saveAsBlock: "Guardar como bloque",
  saveAsBlockHelp:
    "Todas las plantillas podrán usarlo. Los cambios del bloque aparecen en cada una de ellas.",
  blockSaved: "Guardado como bloque «{{title}}»",
  selectWhole:
    "Seleccione toda la tabla, la lista o la fila de columnas para guardarla como bloque.",
  selectNeighbors:
    "Seleccione componentes contiguos para guardarlos como un solo bloque.",
  noBlockInBlock:
    "Un bloque no puede contener otro. Separe primero el que está dentro.",
  couldntOpen: "No se pudo abrir el bloque",
  backToBlocks: "Volver a los bloques",
  unsavedChanges: "Cambios sin guardar",
  nothingToSave: "No hay cambios que guardar",
  savedEverywhere_one: "Guardado. Se actualizó {{count, number}} plantilla.",
  savedEverywhere_many:
    "Guardado. Se actualizaron {{count, number}} plantillas.",
  savedEverywhere_other:
    "Guardado. Se actualizaron {{count, number}} plantillas.",
} as const satisfies Translation<typeof en.blocks, "es">;

export const brand = {
  title: "Marca",
  lead: "Sus colores, fuentes y logotipo. Las plantillas nuevas creadas a partir de un ejemplo los usan, y el editor los sugiere primero.",
  couldntLoad: "No se pudo cargar la marca",
  primary: "Principal",
  muted: "Texto secundario",
  background: "Fondo",
  colors: "Colores",
  fonts: "Fuentes",
  headingFont: "Títulos",
  logo: "Logotipo",
  textStyles: "Estilos de texto",
  textStylesHelp:
    "Estilos con nombre, por ejemplo para una nota o una etiqueta. Las plantillas nuevas creadas a partir de un ejemplo los incluyen.",
  addTextStyle: "Añadir estilo de texto",
  styleNameHelp: "Letras, cifras y guiones.",
  sizeOf: "Tamaño de {{name}}",
  weightOf: "Grosor de {{name}}",
  colorOf: "Color de {{name}}",
  samplePage: "Una página con su marca",
  sampleHelp: "Una página con su marca, tal como se imprime.",
  sampleHeading: "Su título",
  sampleText: "Así se ve el texto de sus documentos, con su fuente y su color.",
  sampleNote: "Texto secundario, como una nota o una etiqueta.",
  whichFollow: "¿Actualizar las plantillas existentes?",
  whichFollowHelp:
    "Estas plantillas usan los colores, fuentes, estilos de texto o el logotipo anteriores. Las que elija reciben los nuevos, como versión nueva.",
  saveAndChange_one: "Guardar y cambiar {{count, number}} plantilla",
  saveAndChange_many: "Guardar y cambiar {{count, number}} plantillas",
  saveAndChange_other: "Guardar y cambiar {{count, number}} plantillas",
  saved_one: "Guardado. Se cambió {{count, number}} plantilla.",
  saved_many: "Guardado. Se cambiaron {{count, number}} plantillas.",
  saved_other: "Guardado. Se cambiaron {{count, number}} plantillas.",
  someFailed:
    "Guardado, pero estas plantillas no se pudieron cambiar: {{names}}",
} as const satisfies Translation<typeof en.brand, "es">;
