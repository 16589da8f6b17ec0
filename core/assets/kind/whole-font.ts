/** Whether the file is as long as its own list of tables says (OpenType), or its head (WOFF, both versions). */
export function isWholeFont(bytes: Buffer): boolean {
  if (bytes.length < 48) return false;
  const mark = bytes.toString("latin1", 0, 4);
  if (mark.startsWith("wOF")) return bytes.readUInt32BE(8) <= bytes.length;
  const tables = bytes.readUInt16BE(4);
  const list = 12 + tables * 16;
  if (bytes.length < list) return false;
  for (let at = 12; at < list; at += 16) {
    const end = bytes.readUInt32BE(at + 8) + bytes.readUInt32BE(at + 12);
    if (end > bytes.length) return false;
  }
  return true;
}
