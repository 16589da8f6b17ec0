// XML 1.0 allows neither most control characters nor unpaired surrogates.
const forbidden = /[\p{Cs}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Replaces characters that XML does not allow with U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(forbidden, "\ufffd");
}

/** Escapes text for text nodes and quoted attributes. */
export function escapeXml(text: string): string {
  return xmlText(text).replace(
    /[&<>"']/g,
    (character) => entities[character] ?? "",
  );
}
