/** How long a reply asks to wait, in milliseconds; null when it does not say. RFC 9110, 10.2.3: seconds, or a date. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,7}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
