// Writing text where neither HTML nor a URL scheme is the question: in CSS, and inside data URLs.

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

/** Only what a URL in a CSS string in HTML cannot hold; control characters, which XML cannot hold, are dropped. */
export function percentEncoded(svg: string): string {
  return svg.replace(/[%#"\\<>\p{Cc}\ufffe\uffff]/gu, (character) =>
    DROPPED.test(character) ? "" : encodeURIComponent(character),
  );
}

const DROPPED = /[^%#"\\<>\n\r\t]/;
