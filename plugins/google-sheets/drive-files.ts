import { Readable } from "node:stream";
import { z } from "zod";
import { type OutFile, PlatformError } from "../../core/plugin-api/index.js";
import type { GoogleClient } from "./google-client.js";

/** Above, Google wants an upload that tells its size first. */
const mostInOne = 5_000_000;
const created = z.object({ id: z.string() });

/** Puts files into the connection's folder in Drive. */
export class DriveFiles {
  constructor(private readonly client: GoogleClient) {}

  /** @returns its id. */
  async add(file: OutFile): Promise<string> {
    const reply =
      file.sizeBytes > mostInOne
        ? await this.addLarge(file)
        : await this.addSmall(file);
    return created.parse(reply).id;
  }

  /** Takes a file away that no cell has come to name. */
  async remove(fileId: string): Promise<void> {
    const { drive } = this.client;
    await this.client.ask({ what: `the file ${fileId}` }, () =>
      drive.files.delete({ fileId, supportsAllDrives: true }),
    );
  }

  private async addSmall(file: OutFile): Promise<unknown> {
    const bytes = await file.bytes();
    const { contentType: mimeType } = file;
    const { drive } = this.client;
    return this.client.ask(this.asked(), () =>
      drive.files.create({
        supportsAllDrives: true,
        fields: "id",
        requestBody: this.metadata(file),
        media: { mimeType, body: Readable.from([bytes]) },
      }),
    );
  }

  private async addLarge(file: OutFile): Promise<unknown> {
    const { contentType, sizeBytes } = file;
    const { headers } = await this.client.request(
      this.asked(),
      "https://www.googleapis.com/upload/drive/v3/files?uploadType=resumable&supportsAllDrives=true&fields=id",
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-upload-content-type": contentType,
          "x-upload-content-length": String(sizeBytes),
        },
        data: JSON.stringify(this.metadata(file)),
      },
    );
    const place = headers.get("location");
    if (place === null)
      throw new PlatformError("unavailable", "it gave no place for a file.");
    const sent = await this.client.request(this.asked(), place, {
      method: "PUT",
      headers: { "content-type": contentType },
      data: await file.bytes(),
    });
    return sent.data;
  }

  private metadata({ filename, contentType }: OutFile) {
    const { folderId } = this.client.context.credentials;
    return {
      name: filename,
      mimeType: contentType,
      ...(folderId !== undefined && { parents: [folderId] }),
    };
  }

  private asked(): { what: string } {
    const { folderId } = this.client.context.credentials;
    return { what: `the Drive folder ${folderId ?? "of the account"}` };
  }
}
