import {
  type Attachment,
  type OutFile,
  PlatformError,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import { spreadsheetOf } from "./describe.js";
import { DriveFiles } from "./drive-files.js";
import { noColumn } from "./fetch-rows.js";
import { attachmentsIn, fileLink, withLinks } from "./file-links.js";
import type { GoogleClient } from "./google-client.js";
import { readSheets } from "./sheet-rows.js";
import type { SheetSettings } from "./sheet-settings.js";
import { columnLetters, rangeOf, textOf } from "./sheet-text.js";

interface FoundCell {
  range: string;
  text: string;
}

/** A cell that holds links to files. The host sees to it that nobody else writes to it at the same time. */
export class FileCell {
  constructor(
    private readonly client: GoogleClient,
    private readonly settings: SheetSettings,
    private readonly scope: TableScope,
    private readonly recordId: string,
    private readonly fieldId: string,
  ) {}

  async read(): Promise<Attachment[]> {
    const { text } = await this.find();
    return attachmentsIn(text);
  }

  /**
   * The cell is looked for after the upload, because its row may move meanwhile. When it is not there, the files are
   * taken away again.
   */
  async write(
    files: readonly OutFile[],
    mode: WriteMode,
  ): Promise<Attachment[]> {
    if (!this.settings.takesFiles(this.fieldId)) throw this.takesNoFile();
    const drive = new DriveFiles(this.client);
    const ids: string[] = [];
    const links: string[] = [];
    for (const file of files) {
      const id = await drive.add(file);
      ids.push(id);
      links.push(fileLink(id, file.filename));
    }
    try {
      const { range, text } = await this.find();
      await this.put(range, withLinks(mode === "append" ? text : "", links));
    } catch (error) {
      if (isCertain(error)) await this.giveUp(drive, ids);
      throw error;
    }
    return attachmentsIn(links.join("\n"));
  }

  private async find(): Promise<FoundCell> {
    const { client, settings, scope, recordId, fieldId } = this;
    const { tableId } = scope;
    const id = spreadsheetOf(scope);
    const [sheet] = await readSheets(client, settings, id, [tableId]);
    const column = sheet?.column(fieldId);
    if (!column) throw noColumn(tableId, fieldId);
    const row = sheet?.rows.get(recordId);
    if (!row)
      throw new PlatformError(
        "not_found",
        `the sheet "${tableId}" has no row with the key "${recordId.slice(0, 60)}".`,
        { recordId, fieldId },
      );
    const cell = `${columnLetters(column.index)}${row.number}`;
    const text = textOf(row.cells[column.index]);
    return { range: rangeOf(tableId, cell), text };
  }

  /** As it stands: nothing in it is taken for a formula. */
  private async put(range: string, text: string): Promise<void> {
    const { recordId, fieldId, scope } = this;
    const what = `the cell ${range}`;
    await this.client.ask({ what, recordId, fieldId }, () =>
      this.client.sheets.spreadsheets.values.update({
        spreadsheetId: spreadsheetOf(scope),
        range,
        valueInputOption: "RAW",
        requestBody: { values: [[text]] },
      }),
    );
  }

  private async giveUp(
    drive: DriveFiles,
    ids: readonly string[],
  ): Promise<void> {
    const { log } = this.client.context;
    for (const id of ids)
      await drive.remove(id).catch((error: unknown) => {
        log.warn({ err: error, file: id }, "a file is left over in Drive");
      });
  }

  private takesNoFile(): PlatformError {
    const { recordId, fieldId } = this;
    return new PlatformError(
      "invalid_field",
      `the column "${fieldId}" takes no links to files. Name it in fileColumns of the connection.`,
      { recordId, fieldId },
    );
  }
}

/** Whether it is sure that the cell does not name the files: it was refused, not lost. */
function isCertain(error: unknown): boolean {
  return error instanceof PlatformError && !error.retryable;
}
