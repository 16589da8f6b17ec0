import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The demo request of a service: its invoice. */
export interface ExportRequest {
  templateId: string;
  formats: string[];
  data: { lines: unknown[] };
}

/** A data folder of its own for one or several processes of the service. */
export class DataFolder {
  private constructor(readonly path: string) {}

  static async make(): Promise<DataFolder> {
    return new DataFolder(await mkdtemp(join(tmpdir(), "platen-bench-")));
  }

  /** Of the demo organization; there once a service has started on this folder. */
  async key(): Promise<string> {
    return (await this.#read("demo-key.txt")).trim();
  }

  /** Like the key. */
  async invoice(): Promise<ExportRequest> {
    return JSON.parse(await this.#read("demo-invoice.json"));
  }

  #read(name: string): Promise<string> {
    return readFile(join(this.path, name), "utf8");
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
