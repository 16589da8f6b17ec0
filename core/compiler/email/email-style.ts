import type { Declarations } from "../style/named-styles.js";
import {
  EMAIL_BY_CLASS,
  EMAIL_BY_TYPE,
  EMAIL_FONT,
  EMAIL_TEXT,
  emailHeading,
} from "./email-look.js";

const LOOKS: readonly (readonly [selector: string, look: Declarations])[] = [
  ["body", { "font-family": EMAIL_FONT, ...EMAIL_TEXT }],
  ["p", EMAIL_BY_TYPE.text],
  ["ul,ol", EMAIL_BY_TYPE.list],
  ["li", EMAIL_BY_TYPE["list-item"]],
  ["table", EMAIL_BY_TYPE.table],
  ["th,td", EMAIL_BY_TYPE["table-cell"]],
  ["img", EMAIL_BY_TYPE.image],
  ["hr", EMAIL_BY_TYPE.divider],
  [".button", EMAIL_BY_TYPE.button],
];

/**
 * The look of an email's elements, which carry it each on itself, as the style sheet that it would be: for whoever
 * shows one that is being designed. What MJML draws in its own way is not in it.
 */
export function emailStyle(): string {
  const headings = [1, 2, 3, 4, 5, 6].map(
    (level) => [`h${level}`, emailHeading(level)] as const,
  );
  const classes = Object.entries(EMAIL_BY_CLASS).map(
    ([name, look]) => [`.${name}`, look] as const,
  );
  return [...LOOKS, ...headings, ...classes].map(rule).join("\n");
}

function rule([selector, look]: readonly [string, Declarations]): string {
  const lines = Object.entries(look).map(([name, value]) => `${name}:${value}`);
  return `${selector}{${lines.join(";")}}`;
}
