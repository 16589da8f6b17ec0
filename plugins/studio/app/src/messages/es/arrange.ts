import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const arrange = {
  withMouse: "Con el ratón",
  inText: "En un texto",
  addOrRemove: "Añadir a la selección o quitar de ella",
  selectArea: "Seleccionar todo en un área",
  menu: "Abrir el menú",
  insertField: "Insertar un campo",
  boldItalicUnderline: "Negrita, cursiva, subrayado",
  leaveText: "Dejar de escribir",
  keyClick: "Clic",
  keyDoubleClick: "Doble clic",
  keyRightClick: "Clic derecho",
  keyDragFromEmpty: "Arrastrar desde un lugar vacío",
} as const satisfies Translation<typeof en.arrange, "es">;
