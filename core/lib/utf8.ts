import { isUtf8 } from "node:buffer";
import { PlatenError } from "../plugin-api/index.js";

/** Characters; in UTF-8 each has three bytes at most. */
const MAX_SHORT = 64 * 1024;
const room = Buffer.allocUnsafeSlow(MAX_SHORT * 3);

/**
 * The bytes of a text in UTF-8; halves of surrogate pairs become U+FFFD. `Buffer.from` goes through a text twice, first
 * to find how many bytes there will be.
 */
export function encodeUtf8(text: string): Buffer {
  return text.length > MAX_SHORT
    ? Buffer.from(text)
    : Buffer.from(room.subarray(0, room.write(text)));
}

/**
 * The text of bytes in UTF-8, without a byte order mark.
 * @param subject what errors call the bytes, such as "The file order.json"
 * @throws PlatenError `invalid_request` with the position of the first byte that is not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array, subject = "The body"): string {
  const checked = new Utf8Check(subject);
  checked.add(bytes);
  checked.end();
  return decoder.decode(bytes);
}

const decoder = new TextDecoder();

/**
 * The text of a file in UTF-8, or in UTF-16, as Windows PowerShell writes files.
 * @param subject what errors call the file, such as "The file order.json"
 * @throws PlatenError `invalid_request` for another encoding
 */
export function decodeTextFile(bytes: Uint8Array, subject: string): string {
  const [first, second] = bytes;
  const isLittle =
    (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig =
    (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  if (!isLittle && !isBig) return decodeUtf8(bytes, subject);
  try {
    return new TextDecoder(isLittle ? "utf-16le" : "utf-16be", {
      fatal: true,
    }).decode(bytes);
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      `${subject} is not valid UTF-16. Save it as UTF-8.`,
      { cause },
    );
  }
}

/** Checks bytes that arrive in pieces. */
export class Utf8Check {
  /** The beginning of a character whose end has not arrived. */
  #rest: Uint8Array = new Uint8Array();
  /** Of `#rest`. */
  #position = 0;

  constructor(private readonly subject = "The body") {}

  /** @throws PlatenError `invalid_request` with the position of the first byte that is not UTF-8 */
  add(piece: Uint8Array): void {
    const bytes =
      this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    const end = findLastEnd(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw this.#createError(whole, findInvalid(whole));
    this.#rest = bytes.subarray(end);
    this.#position += end;
  }

  /** @throws PlatenError `invalid_request` for a character that is cut off */
  end(): void {
    if (this.#rest.length > 0) throw this.#createError(this.#rest, 0);
  }

  #createError(bytes: Uint8Array, at: number): PlatenError {
    const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
    return new PlatenError(
      "invalid_request",
      `${this.subject} is not UTF-8: the byte 0x${byte} at position ${this.#position + at} (the first is 0) is not part of a character. Encode it in UTF-8.`,
    );
  }
}

/** The end of the last character that is whole. */
function findLastEnd(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let at = length - 1; at >= Math.max(0, length - 3); at--) {
    const byte = bytes[at] ?? 0;
    if (isContinuation(byte)) continue;
    return at + characterLength(byte) > length ? at : length;
  }
  return length;
}

/** The position of the first byte that is not UTF-8, in bytes that are not UTF-8 as a whole. */
function findInvalid(bytes: Uint8Array): number {
  let at = 0;
  for (let step = 65_536; step > 1; step /= 2)
    for (;;) {
      let end = Math.min(at + step, bytes.length);
      while (isContinuation(bytes[end] ?? 0)) end += 1;
      if (!isUtf8(bytes.subarray(at, end))) break;
      at = end;
    }
  for (;;) {
    const end = at + characterLength(bytes[at] ?? 0);
    if (!isUtf8(bytes.subarray(at, end))) return at;
    at = end;
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Of the character that begins with `byte`; 1 for a byte that begins none. */
function characterLength(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}
