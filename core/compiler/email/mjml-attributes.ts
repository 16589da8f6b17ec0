import {
  constantText,
  escapeHtml,
  isConstantText,
} from "../../definition/expressions/index.js";
import { escapeSource } from "../source.js";
import { toPx } from "../../definition/page/layout.js";
import type { Declarations } from "../styles.js";

/** Attributes of an MJML element by name; undefined ones are omitted. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Writes attributes with a leading space; values are escaped program source. */
export function writeAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [` ${name}="${value}"`],
    )
    .join("");
}

/** Converts declarations to MJML attributes. @param names attribute names by CSS property */
export function attributesFrom(
  style: Declarations,
  names: Readonly<Record<string, string>>,
): Attributes {
  const entries = Object.entries(names).flatMap(([property, attribute]) => {
    const value = style[property];
    return value === undefined || !isConstantText(value)
      ? []
      : [[attribute, constantAttribute(inPx(constantText(value)))]];
  });
  return Object.fromEntries(entries);
}

/** Splits a style into the properties in `names` and the rest; values with expressions always belong to the rest. */
export function partStyle(
  style: Declarations,
  names: Readonly<Record<string, string>>,
): { taken: Declarations; rest: Declarations } {
  const entries = Object.entries(style);
  const isTaken = ([property, value]: [string, string]) =>
    property in names && isConstantText(value);
  return {
    taken: Object.fromEntries(entries.filter(isTaken)),
    rest: Object.fromEntries(entries.filter((entry) => !isTaken(entry))),
  };
}

export function constantAttribute(text: string): string {
  return escapeSource(escapeHtml(text));
}

/** MJML only supports px; `auto` becomes an align, see `getAlign`. */
function inPx(value: string): string {
  return value
    .split(" ")
    .map((word) => {
      if (word === "auto") return "0";
      const length = /^[\d.]+(mm|cm|in|pt)$/.test(word) ? toPx(word) : null;
      return length === null ? word : `${Math.round(length)}px`;
    })
    .join(" ");
}
