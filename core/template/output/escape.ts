const NAMES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as element content or attribute value, in HTML and XML alike. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => NAMES[character] ?? "");
}

/** Text as a CSS string with its quotes, also safe inside a `<style>` element. */
export function cssString(text: string): string {
  const escaped = text.replace(
    /[\\"'<>&\p{Cc}]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped}"`;
}

/** An address as a CSS `url()`. What CSS or HTML could read as an end is percent-encoded. */
export function cssUrl(address: string): string {
  const encoded = address.replace(/["'\\<>\s\p{Cc}]/gu, (character) =>
    encodeURIComponent(character).replace("'", "%27"),
  );
  return `url("${encoded}")`;
}

const ENCODED = new Map(
  [...'%#"\\<>\n\r\t'].map((one) => [one, encodeURIComponent(one)]),
);

/** Only what a URL in a CSS string in HTML cannot hold; control characters, which XML cannot hold, are dropped. */
export function percentEncoded(svg: string): string {
  return svg.replace(
    /[%#"\\<>\u0000-\u001f\ufffe\uffff]/g,
    (character) => ENCODED.get(character) ?? "",
  );
}
