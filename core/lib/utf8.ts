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
