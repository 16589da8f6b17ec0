import type { FileHandle } from "node:fs/promises";
import { answeringTurns } from "../../lib/fair-queue.js";
import { openUnlinkedFile } from "../../lib/unlinked-file.js";
import type { TableRow } from "./table-plan.js";

const rowsPrefix = ".rows-";
const partBytes = 128 * 1024;
const lineFeed = 10;

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

  /** The rows that the reader of files wrote, each with its place. A stream would close the file when its reader stops early. */
  async *rows(): AsyncGenerator<PlacedRow> {
    let rest = Buffer.alloc(0);
    let start = 0;
    for (;;) {
      const { bytesRead, buffer } = await this.handle.read(
        Buffer.allocUnsafe(partBytes),
        0,
        partBytes,
        start + rest.length,
      );
      if (bytesRead === 0) return;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      await answeringTurns.take();
      let from = 0;
      for (
        let end = bytes.indexOf(lineFeed);
        end >= 0;
        end = bytes.indexOf(lineFeed, from)
      ) {
        const row = parseRow(bytes.toString("utf8", from, end));
        yield { ...row, place: [start + from, end + 1 - from] };
        from = end + 1;
      }
      rest = bytes.subarray(from);
      start += from;
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
