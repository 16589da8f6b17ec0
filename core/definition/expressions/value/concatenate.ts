import { PlatenError } from "../../../plugin-api/index.js";
import { toText } from "./text.js";

/** The longest text that one expression or template string may become: as long as merged html may be. */
const LONGEST_TEXT = 32 * 1024 * 1024;

/** Keeps texts far from the length at which the engine gives up. @throws PlatenError `merge_failed` past the cap. */
export function checkLength(characters: number, where: string): void {
  if (characters <= LONGEST_TEXT) return;
  throw new PlatenError(
    "merge_failed",
    `The text at ${where || "$"} grew over ${LONGEST_TEXT} characters. ` +
      "Print less of the data there, or split the document.",
  );
}

/** The texts of all values, joined. @throws PlatenError `merge_failed` past the cap. */
export function concatenate(
  values: readonly unknown[],
  where: string,
  separator = "",
): string {
  let length = 0;
  const texts = values.map((value) => {
    const text = toText(value);
    length += text.length + separator.length;
    checkLength(length, where);
    return text;
  });
  return texts.join(separator);
}
