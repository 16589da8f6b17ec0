/** The sRGB color space as an ICC profile (ICC.1:2004-10) for screens: three primaries and one curve. */
export function createSrgbProfile(): Buffer {
  const texts = { desc: "sRGB IEC61966-2.1", cprt: "No copyright" };
  const elements: [tag: string, data: Buffer][] = [
    ["desc", localizedText(texts.desc)],
    ["cprt", localizedText(texts.cprt)],
    ["wtpt", numbers("XYZ ", WHITE_POINT)],
    // From the white of sRGB, D65, to that of profiles, D50 (Bradford).
    [
      "chad",
      numbers(
        "sf32",
        [
          1.04788208, 0.0229187, -0.05021667, 0.02958679, 0.99047852,
          -0.01707458, -0.00923157, 0.01507568, 0.75167847,
        ],
      ),
    ],
    ["rXYZ", numbers("XYZ ", [0.43606567, 0.2224884, 0.01391602])],
    ["gXYZ", numbers("XYZ ", [0.38514709, 0.71687317, 0.09707642])],
    ["bXYZ", numbers("XYZ ", [0.14306641, 0.06060791, 0.71409607])],
    ["rTRC", curve()],
  ];
  const offsets = new Map<string, { at: number; length: number }>();
  let at = HEADER_BYTES + 4 + TAG_BYTES * (elements.length + 2);
  for (const [tag, { length }] of elements) {
    offsets.set(tag, { at, length });
    at += length;
  }
  const shared = offsets.get("rTRC");
  if (shared) offsets.set("gTRC", shared).set("bTRC", shared);
  const table = Buffer.concat(
    Array.from(offsets, ([tag, place]) => tagEntry(tag, place)),
  );
  return Buffer.concat([
    header(at),
    integer(offsets.size),
    table,
    ...elements.map(([, data]) => data),
  ]);
}

const HEADER_BYTES = 128;
const TAG_BYTES = 12;
const WHITE_POINT = [0.96420288, 1, 0.8249054];

function header(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(sizeBytes, 0);
  bytes.writeUInt32BE(0x04200000, 8);
  bytes.write("mntrRGB XYZ ", 12, "latin1");
  // The date is required, and nothing depends on it.
  for (const [index, part] of [2026, 1, 1, 0, 0, 0].entries())
    bytes.writeUInt16BE(part, 24 + 2 * index);
  bytes.write("acsp", 36, "latin1");
  for (const [index, value] of WHITE_POINT.entries())
    bytes.writeInt32BE(fixed(value), 68 + 4 * index);
  return bytes;
}

function tagEntry(
  tag: string,
  { at, length }: { at: number; length: number },
): Buffer {
  return Buffer.concat([Buffer.from(tag), integer(at), integer(length)]);
}

function localizedText(text: string): Buffer {
  const characters = Buffer.from(text, "utf16le").swap16();
  return padded(
    Buffer.concat([
      Buffer.from("mluc\0\0\0\0"),
      ...[1, 12].map(integer),
      Buffer.from("enUS"),
      ...[characters.length, 28].map(integer),
      characters,
    ]),
  );
}

function numbers(type: "XYZ " | "sf32", values: readonly number[]): Buffer {
  return Buffer.concat([
    Buffer.from(`${type}\0\0\0\0`),
    ...values.map((value) => integer(fixed(value))),
  ]);
}

/** Of IEC 61966-2-1: a power above a straight beginning (function type 3). */
function curve(): Buffer {
  const values = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];
  return Buffer.concat([
    Buffer.from("para\0\0\0\0\0\x03\0\0"),
    ...values.map((value) => integer(fixed(value))),
  ]);
}

/** A number with 16 bits after the point. */
function fixed(value: number): number {
  return Math.round(value * 65536);
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
}
