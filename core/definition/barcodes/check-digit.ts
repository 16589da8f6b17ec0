/** The GS1 check digit of digits that lack it (EAN, UPC, ITF-14): weights 3 and 1 from the right, modulo 10. */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const weight = (digits.length - index) % 2 === 1 ? 3 : 1;
    sum += Number(digits[index]) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}
