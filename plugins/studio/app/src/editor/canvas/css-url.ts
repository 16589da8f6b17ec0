/** An address as CSS has it. */
export function cssUrl(address: string): string {
  const escaped = address.replaceAll(
    /["\\\n\r\f]/g,
    (letter) => `\\${letter.codePointAt(0)?.toString(16)} `,
  );
  return `url("${escaped}")`;
}
