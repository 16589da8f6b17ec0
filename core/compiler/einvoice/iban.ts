/** Whether an account number is an IBAN with the right check digits. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(text)) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}
