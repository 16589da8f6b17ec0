/** Text without the control characters that neither HTML nor XML can hold: all but tab and line ends. */
export function withoutControls(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, "");
}
