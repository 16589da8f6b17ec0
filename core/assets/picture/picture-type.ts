const signatures: readonly [mimeType: string, at: number, bytes: string][] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["image/avif", 4, "ftypavif"],
  ["image/avif", 4, "ftypavis"],
];

/** A byte order mark, an XML declaration and comments may stand before the first element. */
const SVG_BEGINS = /^\uFEFF?\s*<(\?xml|!--|!doctype\s+svg|svg[\s>])/i;

/** What the bytes are, whatever their name or their server says; null for what is no image that a document shows. */
export function pictureType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4096));
  const latin = head.toString("latin1");
  for (const [mimeType, at, signature] of signatures)
    if (latin.startsWith(signature, at)) return mimeType;
  const text = head.toString("utf8");
  return SVG_BEGINS.test(text) && text.includes("<svg")
    ? "image/svg+xml"
    : null;
}
