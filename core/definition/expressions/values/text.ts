import { PlatenError } from "../../../plugin-api/index.js";
import { SafeHtml } from "../types.js";
import { ExactDecimal, numericText } from "./numbers.js";
import { isList } from "./read-data.js";

/** How a value prints where no filter says otherwise: nothing for nothing, numbers plainly, lists with commas. */
export function toText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? numericText(value) : "";
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "" : objectText(value);
    default:
      return "";
  }
}

/** Records print as nothing, also those inside a list. */
function objectText(value: object): string {
  if (value instanceof SafeHtml) return value.text;
  if (value instanceof ExactDecimal) return numericText(value);
  if (!isList(value)) return "";
  return value
    .map((element) => (isList(element) ? "" : toText(element)))
    .filter((text) => text !== "")
    .join(", ");
}

/** Nothing to print: no value, an empty text, an empty list. Zero and false are something. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (value instanceof SafeHtml) return value.text === "" && value.html === "";
  return isList(value) && value.length === 0;
}

/** Does a value count as true in a test? What is empty does not, nor do zero and false. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== 0 && !isEmpty(value);
}

/** The longest text that one expression or template string may become: as long as merged html may be. */
const MAX_TEXT_LENGTH = 32 * 1024 * 1024;

/** Keeps texts far from the length at which the engine gives up. @throws PlatenError `merge_failed` past the cap. */
export function checkLength(characters: number, where: string): void {
  if (characters <= MAX_TEXT_LENGTH) return;
  throw new PlatenError(
    "merge_failed",
    `The text at ${where || "$"} is longer than ${MAX_TEXT_LENGTH} characters. ` +
      "Print less data there, or split the document.",
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
