export const numbers = {
  lead: "Cada documento recibe el siguiente número de su serie, una sola vez y sin huecos.",
  couldntLoad: "No se han podido cargar los números",
  noneYet: "Aún no hay números",
  noneYetHelp:
    "Escriba <code>{{expression}}</code> en un texto de una plantilla. La serie empieza con el primer documento que lo imprime.",
  howTo: "Cómo numerar documentos",
  nextNew: "Siguiente número nuevo",
  changeName: "Cambiar el siguiente número de {{name}}",
  countOpen_one: "{{count, number}} número pendiente",
  countOpen_many: "{{count, number}} números pendientes",
  countOpen_other: "{{count, number}} números pendientes",
  free: "es para el siguiente documento",
  reserved: "reservado para {{documentId}}, que se está creando",
  changes: "Cambios en la auditoría",
  nextOf: "Siguiente número de {{name}}",
  whatHappens:
    "Los documentos nuevos siguen desde aquí. Los números que se salten no se imprimen nunca, y un número que ya existe se rechaza.",
  openFirst_one: "{{number}} sigue pendiente y se asigna primero.",
  openFirst_many:
    "{{count, number}} números desde {{number}} siguen pendientes y se asignan primero.",
  openFirst_other:
    "{{count, number}} números desde {{number}} siguen pendientes y se asignan primero.",
  printedAs: "Se imprime como {{number}}",
  set: "Fijar el siguiente número",
  nextIs: "El siguiente número nuevo es {{number}}.",
};
