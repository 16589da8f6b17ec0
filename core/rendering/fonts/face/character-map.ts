/** Which glyph a character is drawn with, by code point. */
export type CharacterMap = Map<number, number>;

const UNICODE_FULL = 12;
const UNICODE_BMP = 4;

/** Reads the `cmap` table: its full Unicode part where it has one, else that of the basic plane. */
export function readCharacterMap(cmap: Buffer): CharacterMap {
  const parts = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4)),
  );
  const full = parts.find((part) => part.readUInt16BE(0) === UNICODE_FULL);
  if (full) return readGroups(full);
  const basic = parts.find((part) => part.readUInt16BE(0) === UNICODE_BMP);
  return basic ? readSegments(basic) : new Map();
}

function readGroups(part: Buffer): CharacterMap {
  const map: CharacterMap = new Map();
  for (let group = 0; group < part.readUInt32BE(12); group += 1) {
    const at = 16 + 12 * group;
    const first = part.readUInt32BE(at);
    const glyph = part.readUInt32BE(at + 8);
    for (let code = first; code <= part.readUInt32BE(at + 4); code += 1)
      map.set(code, glyph + code - first);
  }
  return map;
}

function readSegments(part: Buffer): CharacterMap {
  const map: CharacterMap = new Map();
  const twice = part.readUInt16BE(6);
  for (let at = 14; at < 14 + twice; at += 2) {
    const last = part.readUInt16BE(at);
    const first = part.readUInt16BE(at + twice + 2);
    const delta = part.readUInt16BE(at + 2 * twice + 2);
    const rangeAt = at + 3 * twice + 2;
    const range = part.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const found =
        range === 0
          ? code
          : part.readUInt16BE(rangeAt + range + 2 * (code - first));
      if (range === 0 || found !== 0) map.set(code, (found + delta) & 0xffff);
    }
  }
  return map;
}

/** Writes a `cmap` table of one part, for full Unicode. */
export function writeCharacterMap(map: CharacterMap): Buffer {
  const groups = groupsOf(map);
  const table = Buffer.alloc(12 + 16 + 12 * groups.length);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4); // Windows
  table.writeUInt16BE(10, 6); // full Unicode
  table.writeUInt32BE(12, 8);
  const part = table.subarray(12);
  part.writeUInt16BE(UNICODE_FULL, 0);
  part.writeUInt32BE(part.length, 4);
  part.writeUInt32BE(groups.length, 12);
  for (const [index, { first, last, glyph }] of groups.entries()) {
    part.writeUInt32BE(first, 16 + 12 * index);
    part.writeUInt32BE(last, 20 + 12 * index);
    part.writeUInt32BE(glyph, 24 + 12 * index);
  }
  return table;
}

interface Group {
  first: number;
  last: number;
  glyph: number;
}

function groupsOf(map: CharacterMap): Group[] {
  const groups: Group[] = [];
  for (const [code, glyph] of [...map].toSorted(([a], [b]) => a - b)) {
    const open = groups.at(-1);
    const follows =
      open?.last === code - 1 && open.glyph + code - open.first === glyph;
    if (follows) open.last = code;
    else groups.push({ first: code, last: code, glyph });
  }
  return groups;
}
