export const numbers = {
  lead: "Each document gets the next number of its sequence, once and without gaps.",
  couldntLoad: "Couldn't load the numbers",
  noneYet: "No numbers yet",
  noneYetHelp:
    "Write <code>{{expression}}</code> in a text of a template. The sequence begins with the first document that prints it.",
  howTo: "How to number documents",
  nextNew: "Next new number",
  changeName: "Change the next number of {{name}}",
  countOpen_one: "{{count, number}} open number",
  countOpen_other: "{{count, number}} open numbers",
  free: "goes to the next document",
  reserved: "reserved for {{documentId}}, which is being created",
  changes: "Changes in the audit log",
  nextOf: "Next number of {{name}}",
  whatHappens:
    "New documents count on from here. Numbers that you skip are never printed, and a number that exists already is refused.",
  openFirst_one: "{{number}} is still open and is given first.",
  openFirst_other:
    "{{count, number}} numbers from {{number}} on are still open and are given first.",
  printedAs: "Printed as {{number}}",
  set: "Set next number",
  nextIs: "The next new number is {{number}}.",
} as const;
