import { Readable } from "node:stream";
import { z } from "zod";
import {
  type Attachment,
  type OutFile,
  PlatformError,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import { getFilename, splitLines } from "../lib/cells.js";
import type { GoogleClient } from "./client.js";
import {
  createColumnError,
  getColumnLetters,
  type Spreadsheet,
  toRange,
  toText,
} from "./spreadsheet.js";

const driveFilePattern = /^https:\/\/drive\.google\.com\/file\/d\/([\w-]+)\//;

/** The links in a cell, one per line. Other lines are ignored. */
export function parseFileLinks(text: string): Attachment[] {
  return splitLines(text)
    .filter((line) => /^https?:\/\//.test(line) && URL.canParse(line))
    .map((url) => ({
      remoteId: driveFilePattern.exec(url)?.[1] ?? url,
      filename: getFilename(url),
      url,
    }));
}

/** The link to a Drive file. The name after `#` can be read back without a request. */
function createFileLink(id: string, filename: string): string {
  return `https://drive.google.com/file/d/${id}/view#${encodeURIComponent(filename)}`;
}

/** A cell with links to files. The host guarantees that writes to a cell do not overlap. */
export class FileCell {
  private readonly client: GoogleClient;

  constructor(
    private readonly spreadsheet: Spreadsheet,
    private readonly sheet: string,
    private readonly recordId: string,
    private readonly fieldId: string,
  ) {
    this.client = spreadsheet.client;
  }

  async read(): Promise<Attachment[]> {
    const { text } = await this.find();
    return parseFileLinks(text);
  }

  /** Looks the cell up after the upload, because its row may move meanwhile. Deletes the files when it is gone. */
  async write(
    files: readonly OutFile[],
    mode: WriteMode,
  ): Promise<Attachment[]> {
    const { recordId, fieldId } = this;
    if (!this.spreadsheet.settings.acceptsFiles(fieldId))
      throw new PlatformError(
        "invalid_field",
        `The column "${fieldId}" does not accept links to files. Add it to fileColumns of the connection.`,
        { recordId, fieldId },
      );
    const ids: string[] = [];
    for (const file of files) ids.push(await uploadFile(this.client, file));
    const links = files.map(({ filename }, at) =>
      createFileLink(ids[at] ?? "", filename),
    );
    try {
      const { range, text } = await this.find();
      const kept = mode === "append" ? splitLines(text) : [];
      await this.setText(range, [...kept, ...links].join("\n"));
    } catch (error) {
      // After any other failure, the cell may contain the links.
      const wasRefused = error instanceof PlatformError && !error.retryable;
      if (wasRefused) for (const id of ids) await this.deleteFile(id);
      throw error;
    }
    return parseFileLinks(links.join("\n"));
  }

  private async find(): Promise<{ range: string; text: string }> {
    const { sheet, recordId, fieldId } = this;
    const { columns, rows } = await this.spreadsheet.readSheet(sheet);
    const column = columns.find(({ name }) => name === fieldId);
    if (!column) throw createColumnError(sheet, fieldId);
    const row = rows.get(recordId);
    if (!row)
      throw new PlatformError(
        "not_found",
        `The sheet "${sheet}" has no row with the key "${recordId.slice(0, 60)}".`,
        { recordId, fieldId },
      );
    const cell = `${getColumnLetters(column.index)}${row.number}`;
    const text = toText(row.cells[column.index]);
    return { range: toRange(sheet, cell), text };
  }

  /** Writes the text unchanged: nothing in it is read as a formula. */
  private async setText(range: string, text: string): Promise<void> {
    const { recordId, fieldId } = this;
    const what = `the cell ${range}`;
    await this.client.send({ what, recordId, fieldId }, () =>
      this.client.sheets.spreadsheets.values.update({
        spreadsheetId: this.spreadsheet.id,
        range,
        valueInputOption: "RAW",
        requestBody: { values: [[text]] },
      }),
    );
  }

  private async deleteFile(fileId: string): Promise<void> {
    const { client } = this;
    await client
      .send({ what: `the file ${fileId}` }, () =>
        client.drive.files.delete({ fileId, supportsAllDrives: true }),
      )
      .catch((error: unknown) => {
        client.context.log.warn(
          { err: error, file: fileId },
          "could not delete an uploaded file from Drive",
        );
      });
  }
}

/** Google requires a resumable upload, which announces its size, for larger files. */
const maxSimpleUploadBytes = 5_000_000;
const createdSchema = z.object({ id: z.string() });

/** Uploads a file to the connection's folder in Drive. @returns its id. */
async function uploadFile(
  client: GoogleClient,
  file: OutFile,
): Promise<string> {
  const { filename: name, contentType: mimeType, sizeBytes } = file;
  const { folderId } = client.context.credentials;
  const subject = { what: `the Drive folder ${folderId ?? "of the account"}` };
  const metadata = {
    name,
    mimeType,
    ...(folderId !== undefined && { parents: [folderId] }),
  };
  if (sizeBytes <= maxSimpleUploadBytes) {
    const body = Readable.from([await file.bytes()]);
    const created = await client.send(subject, () =>
      client.drive.files.create({
        supportsAllDrives: true,
        fields: "id",
        requestBody: metadata,
        media: { mimeType, body },
      }),
    );
    return createdSchema.parse(created).id;
  }
  const { headers } = await client.sendRaw(
    subject,
    "https://www.googleapis.com/upload/drive/v3/files?uploadType=resumable&supportsAllDrives=true&fields=id",
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-upload-content-type": mimeType,
        "x-upload-content-length": String(sizeBytes),
      },
      data: JSON.stringify(metadata),
    },
  );
  const location = headers.get("location");
  if (location === null)
    throw new PlatformError(
      "unavailable",
      "Google returned no upload address for a file.",
    );
  const { data } = await client.sendRaw(subject, location, {
    method: "PUT",
    headers: { "content-type": mimeType },
    data: await file.bytes(),
  });
  return createdSchema.parse(data).id;
}
