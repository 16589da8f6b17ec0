const words = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** "21 November 2026 at 19:10 UTC", of a time in ISO 8601. */
export function timeInWords(iso: string): string {
  return `${words.format(new Date(iso))} UTC`;
}
