/** A measured number with as many digits as it is worth. */
export function rounded(number: number, digits = 0): number {
  return Number(number.toFixed(digits));
}
