import { closest, distance } from "fastest-levenshtein";
import { variables } from "./variables/index.js";

/** Names of ours that belong to the tests. */
const ours = /^PLATEN_TEST_/;

/** A sentence for each `PLATEN_*` variable that nothing reads, with the name that was perhaps meant. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const known = Object.keys(variables);
  return Object.keys(env)
    .filter((name) => name.startsWith("PLATEN_") && !known.includes(name))
    .filter((name) => !ours.test(name))
    .map((name) => {
      const near = closest(name, known);
      const hint = distance(name, near) <= 4 ? ` Did you mean ${near}?` : "";
      return `${name} is not a variable of Platen and has no effect.${hint}`;
    });
}
