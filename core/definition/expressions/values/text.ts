import { PlatenError } from "../../../plugin-api/index.js";
import { SafeHtml } from "../types.js";
import { ExactDecimal, numericText } from "./numbers.js";
import { isList } from "./read-data.js";

/** Prints a value without a filter: nothing for empty values, plain numbers, lists with commas. */
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

/** Records print nothing, also inside a list. */
function objectText(value: object): string {
  if (value instanceof SafeHtml) return value.text;
  if (value instanceof ExactDecimal) return numericText(value);
  if (!isList(value)) return "";
  return value
    .map((element) => (isList(element) ? "" : toText(element)))
    .filter((text) => text !== "")
    .join(", ");
}

/** Whether there is nothing to print: no value, an empty text or an empty list. Zero and false are not empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (value instanceof SafeHtml) return value.text === "" && value.html === "";
  return isList(value) && value.length === 0;
}

/** Whether a value counts as true in a test. Empty values, zero and false do not. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== 0 && !isEmpty(value);
}

/** The longest text that an expression or template string may produce: the limit of the merged html. */
const MAX_TEXT_LENGTH = 32 * 1024 * 1024;

/**
 * Keeps texts far below the maximum string length of the engine.
 * @throws PlatenError `merge_failed` beyond the limit.
 */
export function checkLength(characters: number, where: string): void {
  if (characters <= MAX_TEXT_LENGTH) return;
  throw new PlatenError(
    "merge_failed",
    `The text at ${where || "$"} is longer than ${MAX_TEXT_LENGTH} characters. ` +
      "Print less data there, or split the document.",
  );
}

/** Joins the texts of all values. @throws PlatenError `merge_failed` beyond the limit. */
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
