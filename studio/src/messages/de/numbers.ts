export const numbers = {
  lead: "Jedes Dokument bekommt die nächste Nummer seines Nummernkreises, jede einmal und ohne Lücken.",
  couldntLoad: "Die Nummernkreise konnten nicht geladen werden",
  noneYet: "Noch keine Nummern",
  noneYetHelp:
    "Schreiben Sie <code>{{expression}}</code> in einen Text einer Vorlage. Der Nummernkreis beginnt mit dem ersten Dokument, das ihn druckt.",
  howTo: "Dokumente nummerieren (Anleitung)",
  nextNew: "Nächste neue Nummer",
  changeName: "Nächste Nummer von {{name}} ändern",
  countOpen_one: "{{count, number}} offene Nummer",
  countOpen_other: "{{count, number}} offene Nummern",
  free: "bekommt das nächste Dokument",
  reserved: "reserviert für {{documentId}}, das gerade erstellt wird",
  changes: "Änderungen im Protokoll",
  nextOf: "Nächste Nummer von {{name}}",
  whatHappens:
    "Neue Dokumente zählen ab hier weiter. Übersprungene Nummern werden nie gedruckt; eine Nummer, die es schon gibt, wird abgelehnt.",
  openFirst_one: "{{number}} ist noch offen und wird zuerst vergeben.",
  openFirst_other:
    "{{count, number}} Nummern ab {{number}} sind noch offen und werden zuerst vergeben.",
  printedAs: "Gedruckt als {{number}}",
  set: "Nächste Nummer setzen",
  nextIs: "Die nächste neue Nummer ist {{number}}.",
};
