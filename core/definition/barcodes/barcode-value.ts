import { checkDigit } from "./check-digit.js";
import { hasBrokenCharacter, quotedValue } from "./quoted-value.js";
import { SYMBOLOGIES, type Symbology } from "./symbology.js";

// What each symbology can carry, told in our words: the library's own messages are for programmers.

export type CheckedValue = { value: string } | { problem: string };

/** Digits with the check digit. */
const digitCounts: Partial<Record<Symbology, number>> = {
  ean13: 13,
  ean8: 8,
  upca: 12,
  itf14: 14,
};

/** More bars than this are wider than a sheet of paper, and no hand scanner reads them. */
const longest: Partial<Record<Symbology, number>> = { code128: 80, code39: 50 };

/** The value that is encoded, a missing check digit added, or what is wrong with it. */
export function checkValue(value: string, symbology: Symbology): CheckedValue {
  const { name } = SYMBOLOGIES[symbology];
  if (value === "")
    return {
      problem: `The ${name} barcode has no value; give it one, or a condition.`,
    };
  const count = digitCounts[symbology];
  if (count !== undefined) return checkNumber(value, name, count);
  const problem = findProblem(value, symbology);
  return problem === null
    ? { value }
    : { problem: `${name} ${quotedValue(value)} ${problem}` };
}

function checkNumber(value: string, name: string, count: number): CheckedValue {
  const about = `${name} ${quotedValue(value)}`;
  const wrong = findWrong(value, /\d/);
  if (wrong !== null)
    return {
      problem: `${about} has ${wrong}; only the digits 0 to 9 are allowed.`,
    };
  if (value.length !== count && value.length !== count - 1)
    return {
      problem: `${about} has ${value.length} digits; it needs ${count}, or ${count - 1} without the check digit.`,
    };
  const body = value.slice(0, count - 1);
  const right = checkDigit(body);
  const given = value[count - 1] ?? right;
  return given === right
    ? { value: body + right }
    : { problem: `${about} has check digit ${given}, but ${right} is right.` };
}

function findProblem(value: string, symbology: Symbology): string | null {
  if (hasBrokenCharacter(value))
    return "has a broken character (half of a surrogate pair).";
  const most = longest[symbology];
  if (most !== undefined && value.length > most)
    return `has ${value.length} characters; at most ${most} are allowed.`;
  if (symbology === "code128") return findNonAscii(value);
  if (symbology === "code39") return findOutsideCode39(value);
  return null;
}

function findNonAscii(value: string): string | null {
  const wrong = findWrong(value, /\p{ASCII}/u);
  return wrong === null
    ? null
    : `has ${wrong}; only ASCII is allowed. A Data Matrix or QR code carries any text.`;
}

function findOutsideCode39(value: string): string | null {
  const wrong = findWrong(value, /[0-9A-Z .$/+%-]/);
  if (wrong === null) return null;
  const hint = /[a-z]/.test(value) ? ` The filter "upper" helps.` : "";
  return `has ${wrong}; only digits, capital letters, spaces and - . $ / + % are allowed.${hint}`;
}

/** The first character that is not allowed, and where: `"é" at position 3`. */
function findWrong(value: string, allowed: RegExp): string | null {
  const characters = Array.from(value);
  const at = characters.findIndex((character) => !allowed.test(character));
  return at < 0
    ? null
    : `${quotedCharacter(characters[at] ?? "")} at position ${at + 1}`;
}

function quotedCharacter(character: string): string {
  if (character === " ") return "a space";
  if (/[\s\p{Cc}]/u.test(character)) return "a control character";
  return `"${character}"`;
}
