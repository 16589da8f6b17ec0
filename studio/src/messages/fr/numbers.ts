export const numbers = {
  lead: "Chaque document reçoit le prochain numéro de sa série, une seule fois et sans trou.",
  couldntLoad: "Impossible de charger les numéros",
  noneYet: "Aucun numéro pour l’instant",
  noneYetHelp:
    "Écrivez <code>{{expression}}</code> dans un texte d’un modèle. La série commence avec le premier document qui l’imprime.",
  howTo: "Comment numéroter des documents",
  nextNew: "Prochain nouveau numéro",
  changeName: "Modifier le prochain numéro de {{name}}",
  countOpen_one: "{{count, number}} numéro en attente",
  countOpen_many: "{{count, number}} numéros en attente",
  countOpen_other: "{{count, number}} numéros en attente",
  free: "ira au prochain document",
  reserved: "réservé à {{documentId}}, en cours de création",
  changes: "Modifications dans le journal d’audit",
  nextOf: "Prochain numéro de {{name}}",
  whatHappens:
    "Les nouveaux documents continuent à partir d’ici. Les numéros sautés ne sont jamais imprimés et un numéro qui existe déjà est refusé.",
  openFirst_one:
    "{{number}} est encore en attente et sera attribué en premier.",
  openFirst_many:
    "{{count, number}} numéros à partir de {{number}} sont encore en attente et seront attribués en premier.",
  openFirst_other:
    "{{count, number}} numéros à partir de {{number}} sont encore en attente et seront attribués en premier.",
  printedAs: "Imprimé sous la forme {{number}}",
  set: "Définir le prochain numéro",
  nextIs: "Le prochain nouveau numéro est {{number}}.",
};
