/** How long a packed font says to be once it is unpacked; null for one that is not packed, or whose list is damaged. */
export function unpackedFontSize(bytes: Buffer): number | null {
  const mark = bytes.toString("latin1", 0, 4);
  if (mark === "wOFF") return woffSize(bytes);
  return mark === "wOF2" ? woff2Size(bytes) : null;
}

/** WOFF 1.0, section 4: 44 bytes, then 20 for each table. */
function woffSize(bytes: Buffer): number | null {
  const end = 44 + bytes.readUInt16BE(12) * 20;
  if (end > bytes.length) return null;
  let size = 0;
  for (let at = 44; at < end; at += 20) size += bytes.readUInt32BE(at + 12);
  return size;
}

const OTHER_TAG = 63;
const GLYF = 10;
const LOCA = 11;

/** WOFF 2.0, section 4.1: the tables' lengths are of variable length themselves. */
function woff2Size(bytes: Buffer): number | null {
  let at = 48;
  let size = 0;
  const number = (): number => {
    let value = 0;
    for (let digits = 0; digits < 5; digits += 1) {
      const byte = bytes[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    return Number.POSITIVE_INFINITY;
  };
  for (let table = bytes.readUInt16BE(12); table > 0; table -= 1) {
    const flags = bytes[at++] ?? 0;
    const tag = flags & 63;
    if (tag === OTHER_TAG) at += 4;
    const length = number();
    const isShape = tag === GLYF || tag === LOCA;
    const isTransformed = isShape ? flags >> 6 !== 3 : flags >> 6 !== 0;
    size += isTransformed ? Math.max(length, number()) : length;
    if (at > bytes.length) return null;
  }
  return size;
}
