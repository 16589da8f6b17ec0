import type { RepeatFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import type { Collection } from "../../../../../../core/plugin-api/definition.js";
import { asWords, keysOf } from "../scope/path-text.js";

/** What one of the list, and several, are called within a sentence. */
function nounOf({ path, collectionId }: Collection, count: number): string {
  const many = keysOf(path)?.at(-1) ?? collectionId;
  return asWords(count === 1 ? collectionId : many).toLowerCase();
}

/** "5 of 12 lines pass". */
export function passWords(collection: Collection, facts: RepeatFacts): string {
  const { passing, total } = facts;
  const verb = passing === 1 ? "passes" : "pass";
  return `${passing} of ${total} ${nounOf(collection, total)} ${verb}`;
}

/** "12 lines", "3 groups", "Shows 3 of 12". */
export function countWords(collection: Collection, facts: RepeatFacts): string {
  const { offset = 0, limit } = collection;
  const count = facts.groups ?? facts.passing;
  const left = Math.max(0, count - offset);
  const shown = limit === undefined ? left : Math.min(left, limit);
  const noun =
    facts.groups === null
      ? nounOf(collection, count)
      : count === 1
        ? "group"
        : "groups";
  return shown === count
    ? `${count} ${noun} in the sample`
    : `Shows ${shown} of ${count} ${noun}`;
}
