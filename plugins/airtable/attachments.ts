import { setTimeout as pause } from "node:timers/promises";
import {
  type Attachment,
  type OutFile,
  PlatformError,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import type { AirtableClient, AirtableRequest } from "./client.js";
import {
  getBaseId,
  getTablePath,
  parseAttachments,
  recordSchema,
} from "./rows.js";

/** The largest file that can be uploaded; Airtable fetches larger ones from a public address. */
const maxUploadBytes = 5_000_000;
/** How long that address works, in seconds. */
const publicUrlSeconds = 3600;
/** How long to wait before each check whether Airtable has fetched it, in milliseconds. */
const pollDelaysMs = [500, 1000, 2000, 4000, 8000, 8000, 8000];

/** A cell with attachments. The host guarantees that writes to a cell do not overlap. */
export class AttachmentCell {
  constructor(
    private readonly client: AirtableClient,
    private readonly scope: TableScope,
    private readonly recordId: string,
    private readonly fieldId: string,
  ) {}

  async read(): Promise<Attachment[]> {
    const query = { returnFieldsByFieldId: true };
    const needs = "data.records:read";
    return this.send({ ...this.createRequest(), query, needs });
  }

  /**
   * Adds the files one by one. Files to replace are removed last, so that a failure never loses one.
   * @returns the added files.
   */
  async write(files: readonly OutFile[], mode: WriteMode) {
    const added: Attachment[] = [];
    for (const file of files) added.push(await this.add(file));
    if (mode === "append") return added;
    return this.setFiles(added.map(({ remoteId: id }) => ({ id })));
  }

  private add(file: OutFile): Promise<Attachment> {
    return file.sizeBytes > maxUploadBytes
      ? this.addByUrl(file)
      : this.upload(file);
  }

  private async upload(file: OutFile): Promise<Attachment> {
    const { filename, contentType } = file;
    const bytes = Buffer.from(await file.bytes());
    const cell = await this.send({
      ...this.createRequest(),
      method: "POST",
      path: `/${encodeURIComponent(this.recordId)}/${encodeURIComponent(this.fieldId)}/uploadAttachment`,
      isUpload: true,
      body: { contentType, filename, file: bytes.toString("base64") },
    });
    return this.getLast(cell);
  }

  /** Airtable does not report a failed fetch, so the cell is polled. */
  private async addByUrl(file: OutFile): Promise<Attachment> {
    const { filename, sizeBytes } = file;
    const url = await file.publicUrl?.(publicUrlSeconds);
    if (url === undefined) throw this.createNoUrlError(filename, sizeBytes);
    const before = await this.read();
    const kept = before.map(({ remoteId: id }) => ({ id }));
    const cell = await this.setFiles([...kept, { url, filename }]);
    return this.waitForFetch(this.getLast(cell), filename);
  }

  private async waitForFetch(added: Attachment, filename: string) {
    for (const wait of pollDelaysMs) {
      await pause(wait, undefined, { signal: this.client.signal });
      const cell = await this.read();
      const found = cell.find(({ remoteId }) => remoteId === added.remoteId);
      if (!found) break;
      if (found.sizeBytes !== undefined) return found;
    }
    throw new PlatformError(
      "unavailable",
      `Airtable did not fetch "${filename}" from Platen. Make sure that PLATEN_BASE_URL is reachable from the internet.`,
      this.getCell(),
    );
  }

  private setFiles(list: readonly object[]): Promise<Attachment[]> {
    return this.send({
      ...this.createRequest(),
      method: "PATCH",
      body: { fields: { [this.fieldId]: list }, returnFieldsByFieldId: true },
    });
  }

  private async send(request: AirtableRequest): Promise<Attachment[]> {
    const { fields } = await this.client.send(request, recordSchema);
    return parseAttachments(fields[this.fieldId]) ?? [];
  }

  private createRequest(): AirtableRequest {
    const { scope, recordId } = this;
    return {
      baseId: getBaseId(scope),
      path: `${getTablePath(scope)}/${encodeURIComponent(recordId)}`,
      needs: "data.records:write",
      ...this.getCell(),
    };
  }

  private getLast(cell: readonly Attachment[]): Attachment {
    const added = cell.at(-1);
    if (added) return added;
    throw new PlatformError(
      "invalid_field",
      `The field ${this.fieldId} accepted no file. Choose an attachment field.`,
      this.getCell(),
    );
  }

  private createNoUrlError(filename: string, sizeBytes: number): PlatformError {
    return new PlatformError(
      "too_large",
      `"${filename}" has ${sizeBytes} bytes. Airtable fetches files above ${maxUploadBytes} bytes from a public address, ` +
        "but Platen has none. Set PLATEN_BASE_URL to its https address, or use smaller images.",
      this.getCell(),
    );
  }

  private getCell(): { recordId: string; fieldId: string } {
    return { recordId: this.recordId, fieldId: this.fieldId };
  }
}
