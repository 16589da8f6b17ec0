import type { ChosenSources } from "../../../../../core/plugin-api/app-wizard.js";
import type { Choice } from "./choice.js";

/** What somebody chose by hand, until it is saved; links apart, since tables hang on them. */
export interface Kept {
  sources: ChosenSources;
  links: ChosenSources;
}

function keyOf({ template, connection, base, table }: Choice): string {
  return ["platen-fields", template, connection, base, table].join(" ");
}

/** Survives going back, and loading the page anew, in this tab. */
export function keptSources(choice: Choice): Kept {
  const text = sessionStorage.getItem(keyOf(choice));
  const none: Kept = { sources: {}, links: {} };
  // Written below, and by nobody else.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return text === null ? none : (JSON.parse(text) as Kept);
}

export function keepSources(choice: Choice, kept: Kept): void {
  sessionStorage.setItem(keyOf(choice), JSON.stringify(kept));
}

/** They stand in the template from now on. */
export function forgetSources(choice: Choice): void {
  sessionStorage.removeItem(keyOf(choice));
}
