import type { FileHandle } from "node:fs/promises";
import { answeringTurns } from "../../lib/fair-queue.js";
import { openUnlinkedFile } from "../../lib/unlinked-file.js";
import type { TableRow } from "./table-plan.js";

const rowsPrefix = ".rows-";

export type PlacedRow = TableRow & { place: TextPlace };

/** Lines of JSON in a temporary file, so that they take no memory. */
export class RowSpool {
  #end = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async open(folder: string): Promise<RowSpool> {
    return new RowSpool(await openUnlinkedFile(folder, rowsPrefix));
  }

  get fd(): number {
    return this.handle.fd;
  }

  /** The rows that the reader of files wrote, each with its place. */
  async *rows(): AsyncGenerator<PlacedRow> {
    let start = 0;
    const stream = this.handle.createReadStream({
      encoding: "utf8",
      start: 0,
      autoClose: false,
    });
    let rest = "";
    for await (const chunk of stream) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      await answeringTurns.take();
      for (const line of lines) {
        const length = Buffer.byteLength(line) + 1;
        yield { ...parseRow(line), place: [start, length] };
        start += length;
      }
    }
  }

  /** The rows of a place that holds whole ones. */
  async readRows(place: TextPlace): Promise<TableRow[]> {
    const text = await this.read(place);
    return text.trimEnd().split("\n").map(parseRow);
  }

  /** @returns where the text is. */
  async append(text: string): Promise<TextPlace> {
    const bytes = Buffer.from(text);
    const start = this.#end;
    await this.handle.write(bytes, 0, bytes.length, start);
    this.#end += bytes.length;
    return [start, bytes.length];
  }

  async read([start, length]: TextPlace): Promise<string> {
    const bytes = Buffer.alloc(length);
    await this.handle.read(bytes, 0, length, start);
    return bytes.toString("utf8");
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

function parseRow(line: string): TableRow {
  // Only the reader of files writes these lines.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const [number, ...cells] = JSON.parse(line) as [number, ...unknown[]];
  return { number, cells };
}

/** In bytes. */
export type TextPlace = readonly [start: number, length: number];
