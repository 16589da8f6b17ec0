import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { deflateSync } from "node:zlib";

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
      `/Type/XRef/Size ${this.#count}/W[1 5 2]/Root ${catalog} 0 R/Info ${info} 0 R/ID[${id}${id}]` +
        `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${ENTRY_BYTES}>>`,
      deflateSync(this.#predictEntries()),
    );
    this.#append(Buffer.from(`startxref\n${start}\n%%EOF\n`));
    this.#flush();
  }

  /** Each row minus the one above it, which compresses to a small part. */
  #predictEntries(): Buffer {
    const rows = Buffer.alloc(this.#count * (ENTRY_BYTES + 1));
    for (let row = 0; row < this.#count; row += 1) {
      rows[row * (ENTRY_BYTES + 1)] = 2;
      for (let column = 0; column < ENTRY_BYTES; column += 1) {
        const at = row * ENTRY_BYTES + column;
        const above = row === 0 ? 0 : (this.#entries[at - ENTRY_BYTES] ?? 0);
        rows[row * (ENTRY_BYTES + 1) + 1 + column] =
          (this.#entries[at] ?? 0) - above;
      }
    }
    return rows;
  }

  #writePacked(): void {
    const packed = this.#packed;
    if (packed.length === 0) return;
    this.#packed = [];
    this.#packedLength = 0;
    const number = this.reserve();
    let offset = 0;
    const heads = packed.map(({ number: one, body }, index) => {
      this.#setEntry(one, 2, number, index);
      const head = `${one} ${offset}`;
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

const FAN_OUT = 64;

/**
 * A name tree or number tree (ISO 32000-1, 7.9.6 and 7.9.7) whose entries are added in the order of their keys. Memory:
 * one entry for each 250.
 */
export class PdfTree {
  #nodes: { number: number; first: string; last: string }[] = [];

  constructor(
    private readonly writer: PdfWriter,
    private readonly list: "Names" | "Nums",
  ) {}

  get isEmpty(): boolean {
    return this.#nodes.length === 0;
  }

  /** @param entries keys and values in PDF syntax, sorted, all greater than those before */
  add(entries: readonly (readonly [key: string, value: string])[]): void {
    for (let at = 0; at < entries.length; at += 250) {
      const some = entries.slice(at, at + 250);
      const first = some[0]?.[0] ?? "";
      const last = some.at(-1)?.[0] ?? "";
      const flat = some.map(([key, value]) => `${key} ${value}`).join(" ");
      const number = this.writer.add(
        `<</Limits[${first} ${last}]/${this.list}[${flat}]>>`,
      );
      this.#nodes.push({ number, first, last });
    }
  }

  /** Writes the upper levels. @returns the number of the root */
  end(): number {
    let nodes = this.#nodes;
    for (;;) {
      const isRoot = nodes.length <= FAN_OUT;
      const groups = inGroups(nodes).map((group) => {
        const first = group[0]?.first ?? "";
        const last = group.at(-1)?.last ?? "";
        const kids = group.map(({ number }) => `${number} 0 R`).join(" ");
        const limits = isRoot ? "" : `/Limits[${first} ${last}]`;
        const number = this.writer.add(`<<${limits}/Kids[${kids}]>>`);
        return { number, first, last };
      });
      const [root] = groups;
      if (isRoot) return root?.number ?? this.writer.add(`<</${this.list}[]>>`);
      nodes = groups;
    }
  }
}

interface PageNode {
  number: number;
  pages: number;
}

/** A page tree whose pages are appended in their order. */
export class PdfPages {
  readonly #nodes: PageNode[] = [];
  #kids: number[] = [];
  #leaf: number | null = null;

  constructor(private readonly writer: PdfWriter) {}

  /** The number of the node that the next page names as its parent; append the page before the next call. */
  get parent(): number {
    return (this.#leaf ??= this.writer.reserve());
  }

  append(page: number): void {
    this.#kids.push(page);
    if (this.#kids.length === FAN_OUT) this.#close();
  }

  /** The nodes of all pages, whose parents are not written yet. */
  end(): PageNode[] {
    this.#close();
    return this.#nodes;
  }

  #close(): void {
    if (this.#leaf === null || this.#kids.length === 0) return;
    this.#nodes.push({ number: this.#leaf, pages: this.#kids.length });
    this.#pending.push({ number: this.#leaf, kids: this.#kids });
    this.#leaf = null;
    this.#kids = [];
  }

  readonly #pending: { number: number; kids: number[] }[] = [];

  /** Writes the nodes of several page trees as one. @returns the number of the root */
  static join(writer: PdfWriter, trees: readonly PdfPages[]): number {
    const nodes = trees.flatMap((tree) => tree.end());
    const kids = new Map(
      trees
        .flatMap((tree) => tree.#pending)
        .map(({ number, kids: pages }) => [number, pages]),
    );
    return writeLevel(writer, nodes, kids);
  }
}

/** A node names its parent, so each level is written once the numbers of the next are known. */
function writeLevel(
  writer: PdfWriter,
  nodes: readonly PageNode[],
  kids: ReadonlyMap<number, readonly number[]>,
): number {
  const parents = inGroups(nodes).map((group) => ({
    number: writer.reserve(),
    pages: group.reduce((sum, { pages }) => sum + pages, 0),
    group,
  }));
  for (const { number, group } of parents)
    for (const node of group)
      writer.write(
        node.number,
        `<</Type/Pages/Parent ${number} 0 R/Count ${node.pages}/Kids[${toRefs(kids.get(node.number) ?? [])}]>>`,
      );
  const next = new Map(
    parents.map(({ number, group }) => [
      number,
      group.map((node) => node.number),
    ]),
  );
  const [root, second] = parents;
  if (root && !second) {
    writer.write(
      root.number,
      `<</Type/Pages/Count ${root.pages}/Kids[${toRefs(next.get(root.number) ?? [])}]>>`,
    );
    return root.number;
  }
  return writeLevel(writer, parents, next);
}

function toRefs(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(" ");
}

function inGroups<T>(list: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (let at = 0; at < list.length; at += FAN_OUT)
    groups.push(list.slice(at, at + FAN_OUT));
  return groups;
}
