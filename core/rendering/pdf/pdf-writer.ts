import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { PDFHexString } from "@cantoo/pdf-lib";

/** Objects that are compressed together, and their total length. */
const MAX_PACKED = 200;
const MAX_PACKED_LENGTH = 256 * 1024;
const BUFFER_BYTES = 1024 * 1024;
/** Of one entry of the table of objects: its type, its position, its index. */
const ENTRY_BYTES = 8;

/**
 * Writes a PDF to a file object by object, in any order; an object may be referenced before it is written. All objects
 * except streams are compressed (ISO 32000-1, 7.5.7). Memory: 8 bytes for each object.
 */
export class PdfWriter {
  #parts: Buffer[] = [];
  #buffered = 0;
  #written = 0;
  /** By number; number 0 is free. */
  #entries = Buffer.alloc(ENTRY_BYTES * 4096);
  #count = 1;
  #packed: { number: number; body: string }[] = [];
  #packedLength = 0;

  /** @param file descriptor of an empty file that is open for writing */
  constructor(private readonly file: number) {
    this.#append(Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));
  }

  /** The length of the file so far. */
  get sizeBytes(): number {
    return this.#written + this.#buffered;
  }

  /** The number of an object that will be written later. */
  reserve(): number {
    const number = this.#count++;
    if (this.#count * ENTRY_BYTES > this.#entries.length)
      this.#entries = Buffer.concat([
        this.#entries,
        Buffer.alloc(this.#entries.length),
      ]);
    return number;
  }

  /** Writes an object that is not a stream. @param body PDF syntax, one byte per character */
  write(number: number, body: string): void {
    this.#packed.push({ number, body });
    this.#packedLength += body.length;
    if (
      this.#packed.length >= MAX_PACKED ||
      this.#packedLength > MAX_PACKED_LENGTH
    )
      this.#writePacked();
  }

  /** @returns the number of the new object */
  add(body: string): number {
    const number = this.reserve();
    this.write(number, body);
    return number;
  }

  /** Writes an object as it is, uncompressed. @returns the position of its body in the file */
  writePlain(number: number, body: string): number {
    this.#setEntry(number, 1, this.sizeBytes, 0);
    this.#append(Buffer.from(`${number} 0 obj\n`));
    const at = this.sizeBytes;
    this.#append(Buffer.from(body, "latin1"), Buffer.from("\nendobj\n"));
    return at;
  }

  /** @param entries of the dictionary, without its length and brackets */
  writeStream(number: number, entries: string, bytes: Uint8Array): void {
    this.#setEntry(number, 1, this.sizeBytes, 0);
    this.#append(
      Buffer.from(
        `${number} 0 obj\n<<${entries}/Length ${bytes.length}>>\nstream\n`,
        "latin1",
      ),
      Buffer.from(bytes),
      Buffer.from("\nendstream\nendobj\n"),
    );
  }

  /** @returns the number of the new object */
  addStream(entries: string, bytes: Uint8Array): number {
    const number = this.reserve();
    this.writeStream(number, entries, bytes);
    return number;
  }

  /** Writes what is left, and the table of objects. */
  end(catalog: number, info: number): void {
    this.#writePacked();
    const number = this.reserve();
    const start = this.sizeBytes;
    this.#setEntry(number, 1, start, 0);
    const id = `<${randomBytes(16).toString("hex")}>`;
    this.writeStream(
      number,
      `/Type/XRef/Size ${this.#count}/W[1 5 2]/Root ${catalog} 0 R/Info ${info} 0 R/ID[${id}${id}]/Filter/FlateDecode`,
      deflateSync(this.#entries.subarray(0, this.#count * ENTRY_BYTES)),
    );
    this.#append(Buffer.from(`startxref\n${start}\n%%EOF\n`));
    this.#flush();
  }

  #writePacked(): void {
    const packed = this.#packed;
    if (packed.length === 0) return;
    this.#packed = [];
    this.#packedLength = 0;
    const number = this.reserve();
    let offset = 0;
    const heads = packed.map(({ number: objectNumber, body }, index) => {
      this.#setEntry(objectNumber, 2, number, index);
      const head = `${objectNumber} ${offset}`;
      offset += body.length + 1;
      return head;
    });
    const head = `${heads.join(" ")}\n`;
    const bodies = packed.map(({ body }) => body).join("\n");
    this.writeStream(
      number,
      `/Type/ObjStm/N ${packed.length}/First ${head.length}/Filter/FlateDecode`,
      deflateSync(Buffer.from(head + bodies, "latin1")),
    );
  }

  #setEntry(number: number, type: 1 | 2, place: number, index: number): void {
    const at = number * ENTRY_BYTES;
    this.#entries[at] = type;
    this.#entries.writeUIntBE(place, at + 1, 5);
    this.#entries.writeUInt16BE(index, at + 6);
  }

  #append(...parts: Buffer[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      this.#buffered += part.length;
    }
    if (this.#buffered > BUFFER_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#parts);
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.file, bytes, at, bytes.length - at);
    this.#written += bytes.length;
    this.#parts = [];
    this.#buffered = 0;
  }
}

/** References to objects, as the elements of an array. */
export function toRefs(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(" ");
}

/** UTF-16, as a hexadecimal string. */
export function toText(text: string): string {
  return PDFHexString.fromText(text).toString();
}
