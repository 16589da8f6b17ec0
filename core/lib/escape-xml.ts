// XML 1.0 has no place for most control characters, and none for half of a surrogate pair.
const forbidden = /[\p{Cs}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The same text with U+FFFD for what XML cannot hold, escaped or not. */
export function xmlText(text: string): string {
  return text.replace(forbidden, "\ufffd");
}

/** Text for an SVG's text nodes and quoted attributes; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return xmlText(text).replace(
    /[&<>"']/g,
    (character) => entities[character] ?? "",
  );
}
