/** The bytes of a data URL, of whatever type it says to be; none when it is damaged. */
export function bytesOfDataUrl(url: string): Buffer {
  const comma = url.indexOf(",");
  const bytes = unescaped(url.slice(comma + 1));
  return /;\s*base64\s*$/i.test(url.slice(0, comma))
    ? Buffer.from(bytes.toString("latin1"), "base64")
    : bytes;
}

/** What stands in it unescaped, beyond ASCII too, is UTF-8; what is escaped may be any byte. */
function unescaped(text: string): Buffer {
  if (!text.includes("%")) return Buffer.from(text);
  const bytes = Buffer.from(text)
    .toString("latin1")
    .replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1");
}
