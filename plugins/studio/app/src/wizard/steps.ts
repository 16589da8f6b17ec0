import { type Choice, NONE } from "./choice.js";

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
