import { go, place } from "../router.js";
import type { Step } from "./steps.js";

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
