import { barcodeText } from "./barcode-text.js";

const DIGIT = 7; // modules that one digit's bars take
const GUARD = 3;
const MIDDLE = 5;
const SIZE = 10;
const SMALL = 7.5;

export type RetailSymbology = "ean13" | "ean8" | "upca";

/** How many digits stand under each half of the bars, and whether one stands at the left and the right of them. */
const layouts: Record<
  RetailSymbology,
  { half: number; skip: number; before: boolean; after: boolean; aside: number }
> = {
  ean13: { half: 6, skip: 0, before: true, after: false, aside: SIZE },
  ean8: { half: 4, skip: 0, before: false, after: false, aside: SIZE },
  upca: { half: 6, skip: 1, before: true, after: true, aside: SMALL },
};

/** The digits of an EAN or UPC, each below its own bars; `left` is where the bars begin. */
export function retailDigits(
  digits: string,
  symbology: RetailSymbology,
  left: number,
  baseline: number,
): string {
  const { half, skip, before, after, aside } = layouts[symbology];
  const width = 2 * GUARD + MIDDLE + 2 * half * DIGIT;
  const places = Array.from({ length: 2 * half }, (_, index) => {
    const gap = GUARD + (index < half ? 0 : MIDDLE);
    return left + gap + index * DIGIT + DIGIT / 2;
  }).slice(skip, skip === 0 ? undefined : -skip);
  const first = before ? 1 : 0;
  return [
    before ? barcodeText(digits.slice(0, 1), left - 5.5, baseline, aside) : "",
    barcodeText(
      digits.slice(first, first + places.length),
      places,
      baseline,
      SIZE,
    ),
    after
      ? barcodeText(digits.slice(-1), left + width + 5.5, baseline, aside)
      : "",
  ].join("");
}
