import { go, place } from "../router.js";

export const STEPS = [
  "connect",
  "table",
  "template",
  "fields",
  "file",
  "button",
  "try",
] as const;
export type Step = (typeof STEPS)[number];

interface StepWords {
  /** In the rail. */
  short: string;
  title: string;
  lead: string;
}

export const stepWords: Record<Step, StepWords> = {
  connect: {
    short: "Connect",
    title: "Connect your spreadsheet",
    lead: "Platen reads your records there, and writes finished files back.",
  },
  table: {
    short: "Table",
    title: "Choose the table",
    lead: "Each record of it becomes one document.",
  },
  template: {
    short: "Template",
    title: "Choose the template",
    lead: "It says how the document looks.",
  },
  fields: {
    short: "Fields",
    title: "Fill the template",
    lead: "Choose which field of your table fills each field of the template.",
  },
  file: {
    short: "File",
    title: "Choose where the file goes",
    lead: "The finished document is put into a field of its record.",
  },
  button: {
    short: "Button",
    title: "Put the button into your table",
    lead: "One press in your spreadsheet then makes the document.",
  },
  try: {
    short: "Try it",
    title: "Try it with one record",
    lead: "This makes a real document, just as the button does.",
  },
};

/** What has to be chosen before a step makes sense. */
const needs: Record<Step, (choice: Choice) => boolean> = {
  connect: () => true,
  table: ({ connection }) => connection !== "",
  template: ({ table }) => table !== "",
  fields: ({ template }) => template !== "",
  file: ({ template }) => template !== "",
  button: ({ field, formats }) => field !== "" && formats !== NONE,
  try: ({ field }) => field !== "",
};

/** Whether all that comes before it has been chosen. */
export function isOpen(step: Step, choice: Choice): boolean {
  const upTo = STEPS.slice(0, STEPS.indexOf(step) + 1);
  return upTo.every((one) => needs[one](choice));
}

/** The step of an address; the last that is open when it asks for more. */
export function stepOf(word: string, choice: Choice): Step {
  const asked = STEPS.find((one) => one === word) ?? "connect";
  if (isOpen(asked, choice)) return asked;
  return STEPS.findLast((one) => isOpen(one, choice)) ?? "connect";
}

export function stepBefore(step: Step): Step | null {
  return STEPS[STEPS.indexOf(step) - 1] ?? null;
}

/** All that was chosen so far; it stands in the address, and holds no secret. Empty: not chosen yet. */
export interface Choice {
  connection: string;
  /** Empty too where the platform has no bases. */
  base: string;
  table: string;
  template: string;
  /** The field that takes files, or `nowhere`. */
  field: string;
  /** With commas between. */
  formats: string;
  /** What becomes of files that the cell holds: `append` or `replace`. */
  mode: string;
  /** The id of the link that was made. */
  link: string;
}

export const NOWHERE = "nowhere";
/** For formats: every kind of file was taken away; empty means the usual one. */
export const NONE = "none";

const empty: Choice = {
  connection: "",
  base: "",
  table: "",
  template: "",
  field: "",
  formats: "",
  mode: "",
  link: "",
};

const names = [
  "connection",
  "base",
  "table",
  "template",
  "field",
  "formats",
  "mode",
  "link",
] as const satisfies (keyof Choice)[];

export function choiceIn(query: URLSearchParams): Choice {
  const choice = { ...empty };
  for (const name of names) choice[name] = query.get(name) ?? "";
  return choice;
}

/** The address of a step with these choices. */
export function addressOf(step: Step, choice: Choice): string {
  const query = new URLSearchParams();
  for (const name of names)
    if (choice[name] !== "") query.set(name, choice[name]);
  const text = query.toString();
  return `start/${step}${text === "" ? "" : `?${text}`}`;
}

/** Goes to a step with what is chosen now and what was chosen before. */
export function proceed(step: Step, changes: Partial<Choice> = {}): void {
  go(addressOf(step, changed(choiceIn(place.value.searchParams), changes)));
}

/** Without a step back in the browser's history. */
export function keep(step: Step, changes: Partial<Choice>): void {
  const choice = changed(choiceIn(place.value.searchParams), changes);
  go(addressOf(step, choice), { replace: true });
}

/** What was chosen for another choice, and is void when that changes. A link has settled all of them. */
const dependents: Record<keyof Choice, readonly (keyof Choice)[]> = {
  connection: ["base", "table", "field", "link"],
  base: ["table", "field", "link"],
  table: ["field", "link"],
  template: ["link"],
  field: ["link"],
  formats: ["link"],
  mode: ["link"],
  link: [],
};

function changed(before: Choice, changes: Partial<Choice>): Choice {
  const after = { ...before, ...changes };
  for (const name of names) {
    if (after[name] === before[name]) continue;
    for (const later of dependents[name])
      if (!(later in changes)) after[later] = "";
  }
  return after;
}
