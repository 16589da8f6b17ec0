import { setTimeout as pause } from "node:timers/promises";
import {
  type Attachment,
  type OutFile,
  PlatformError,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import type { AirtableClient, AirtableRequest } from "./client.js";
import { baseOf, tablePath, attachmentsOf, recordReply } from "./rows.js";

/** What the upload takes; larger files are fetched by Airtable from a public address. */
const maxUploadBytes = 5_000_000;
/** For how long Airtable may fetch a file, in seconds. */
const publicSeconds = 3600;
/** How long to wait before each look whether Airtable has fetched it, in milliseconds. */
const looks = [500, 1000, 2000, 4000, 8000, 8000, 8000];

/** A cell of attachments. The host sees to it that nobody else writes to it at the same time. */
export class AttachmentCell {
  constructor(
    private readonly client: AirtableClient,
    private readonly scope: TableScope,
    private readonly recordId: string,
    private readonly fieldId: string,
    private readonly signal: AbortSignal,
  ) {}

  async read(): Promise<Attachment[]> {
    const query = { returnFieldsByFieldId: true };
    const needs = "data.records:read";
    return this.ask({ ...this.record(), query, needs });
  }

  /**
   * Adds the files one after the other. What is to be replaced is taken away at the end, so that a failure leaves more
   * in the cell and never less. @returns the added ones.
   */
  async write(files: readonly OutFile[], mode: WriteMode) {
    const added: Attachment[] = [];
    for (const file of files) added.push(await this.add(file));
    if (mode === "append") return added;
    return this.put(added.map(({ remoteId: id }) => ({ id })));
  }

  private add(file: OutFile): Promise<Attachment> {
    return file.sizeBytes > maxUploadBytes
      ? this.addByAddress(file)
      : this.upload(file);
  }

  private async upload(file: OutFile): Promise<Attachment> {
    const { filename, contentType } = file;
    const bytes = Buffer.from(await file.bytes());
    const cell = await this.ask({
      ...this.record(),
      method: "POST",
      path: `/${encodeURIComponent(this.recordId)}/${encodeURIComponent(this.fieldId)}/uploadAttachment`,
      isUpload: true,
      body: { contentType, filename, file: bytes.toString("base64") },
    });
    return this.last(cell);
  }

  /** Airtable says nothing when it cannot fetch a file: the cell tells. */
  private async addByAddress(file: OutFile): Promise<Attachment> {
    const { filename, sizeBytes } = file;
    const url = await file.publicUrl?.(publicSeconds);
    if (url === undefined) throw this.noAddress(filename, sizeBytes);
    const before = await this.read();
    const kept = before.map(({ remoteId: id }) => ({ id }));
    const cell = await this.put([...kept, { url, filename }]);
    return this.fetched(this.last(cell), filename);
  }

  private async fetched(added: Attachment, filename: string) {
    for (const wait of looks) {
      await pause(wait, undefined, { signal: this.signal });
      const cell = await this.read();
      const found = cell.find(({ remoteId }) => remoteId === added.remoteId);
      if (!found) break;
      if (found.sizeBytes !== undefined) return found;
    }
    throw new PlatformError(
      "unavailable",
      `Airtable did not fetch "${filename}" from this service. Its address (PLATEN_BASE_URL) must be reachable from the internet.`,
      this.place(),
    );
  }

  private put(list: readonly object[]): Promise<Attachment[]> {
    return this.ask({
      ...this.record(),
      method: "PATCH",
      body: { fields: { [this.fieldId]: list }, returnFieldsByFieldId: true },
    });
  }

  private async ask(request: AirtableRequest): Promise<Attachment[]> {
    const { fields } = await this.client.send(request, recordReply);
    return attachmentsOf(fields[this.fieldId]) ?? [];
  }

  private record(): AirtableRequest {
    const { scope, recordId } = this;
    return {
      baseId: baseOf(scope),
      path: `${tablePath(scope)}/${encodeURIComponent(recordId)}`,
      needs: "data.records:write",
      ...this.place(),
    };
  }

  private last(cell: readonly Attachment[]): Attachment {
    const added = cell.at(-1);
    if (added) return added;
    throw new PlatformError(
      "invalid_field",
      `the field ${this.fieldId} took no file. It must be an attachment field.`,
      this.place(),
    );
  }

  private noAddress(filename: string, sizeBytes: number): PlatformError {
    return new PlatformError(
      "too_large",
      `"${filename}" has ${sizeBytes} bytes. Above ${maxUploadBytes}, Airtable fetches files from a public address, and ` +
        "this service has none: set PLATEN_BASE_URL to its https address, or make smaller images.",
      this.place(),
    );
  }

  private place(): { recordId: string; fieldId: string } {
    return { recordId: this.recordId, fieldId: this.fieldId };
  }
}
