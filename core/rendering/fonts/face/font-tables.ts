/** The tables of a TrueType file, by their tags. */
export type FontTables = Map<string, Buffer>;

const HEADER = 12;
const RECORD = 16;

/** Reads a TrueType file; its tables are views of it. */
export function readTables(font: Buffer): FontTables {
  const tables: FontTables = new Map();
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const at = HEADER + RECORD * index;
    const start = font.readUInt32BE(at + 8);
    const end = start + font.readUInt32BE(at + 12);
    tables.set(font.toString("latin1", at, at + 4), font.subarray(start, end));
  }
  return tables;
}

/** Writes the tables as a TrueType file. @param font the file that they are from, for its header. */
export function writeTables(font: Buffer, tables: FontTables): Buffer {
  const directory = Buffer.alloc(HEADER + RECORD * tables.size);
  font.copy(directory, 0, 0, HEADER);
  let offset = directory.length;
  const bodies = [...tables].map(([tag, table], index) => {
    const body = padded(table);
    const at = HEADER + RECORD * index;
    directory.write(tag, at, "latin1");
    directory.writeUInt32BE(checksum(body), at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(table.length, at + 12);
    offset += body.length;
    return body;
  });
  return Buffer.concat([directory, ...bodies]);
}

/** Tables begin at multiples of four bytes. */
function padded(table: Buffer): Buffer {
  return Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
}

function checksum(body: Buffer): number {
  let sum = 0;
  for (let at = 0; at < body.length; at += 4)
    sum = (sum + body.readUInt32BE(at)) >>> 0;
  return sum;
}
