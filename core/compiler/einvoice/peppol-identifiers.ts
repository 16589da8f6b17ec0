// The identifiers that Peppol checks (PEPPOL-COMMON-R040 to R057), by their scheme of ISO 6523 or EAS.

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  "0007": (text) => /^\d{10}$/.test(text) && hasLuhnDigit(text),
  "0088": (text) => /^\d+$/.test(text) && hasGlnDigit(text),
  "0096": (text) => /^\d{10}$/.test(text),
  "0106": (text) => /^\d{8}$/.test(text),
  "0151": (text) => /^\d{11}$/.test(text) && isAbn(text),
  "0184": (text) => /^(?:DK)?\d{8}$/.test(text),
  "0190": (text) => /^\d{20}$/.test(text),
  "0192": (text) => /^\d{9}$/.test(text) && hasNorwegianDigit(text),
  "0198": (text) => /^DK\d{8}$/.test(text),
  "0208": (text) => /^\d{10}$/.test(text) && hasBelgianDigits(text),
  "0217": (text) => /^\d{12}$/.test(text),
  "9944": (text) => /^NL\d{9}B\d{2}$/.test(text),
};

/** True for schemes whose identifiers Peppol does not check. */
export function isValidPeppolIdentifier(scheme: string, text: string): boolean {
  return CHECKS[scheme]?.(text) ?? true;
}

/** The sum of the digits before the last, each times its weight; the first weight is that of the digit before the last. */
function weightedSum(
  text: string,
  weigh: (digit: number, index: number) => number,
): number {
  return Array.from(text.slice(0, -1), Number)
    .toReversed()
    .reduce((total, digit, index) => total + weigh(digit, index), 0);
}

function isCheckDigit(text: string, digit: number): boolean {
  return text.at(-1) === String(digit);
}

function hasGlnDigit(text: string): boolean {
  const sum = weightedSum(text, (digit, index) =>
    index % 2 === 0 ? 3 * digit : digit,
  );
  return isCheckDigit(text, (10 - (sum % 10)) % 10);
}

function hasLuhnDigit(text: string): boolean {
  const sum = weightedSum(text, (digit, index) =>
    index % 2 === 0 ? ((2 * digit) % 10) + Math.floor((2 * digit) / 10) : digit,
  );
  return isCheckDigit(text, (10 - (sum % 10)) % 10);
}

function hasNorwegianDigit(text: string): boolean {
  const sum = weightedSum(text, (digit, index) => digit * ((index % 6) + 2));
  return Number(text) > 0 && isCheckDigit(text, (11 - (sum % 11)) % 11);
}

function hasBelgianDigits(text: string): boolean {
  return 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8));
}

/** An Australian Business Number. */
function isAbn(text: string): boolean {
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  const sum = weights.reduce(
    (total, weight, index) =>
      total + weight * (Number(text[index]) - (index === 0 ? 1 : 0)),
    0,
  );
  return sum % 89 === 0;
}
