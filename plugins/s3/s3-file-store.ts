import { create as contentDisposition } from "content-disposition";
import { createHash } from "node:crypto";
import { Readable, Transform } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import {
  type ByteRange,
  checkFileKey,
  type DirectFile,
  type FileStore,
  type StoredFile,
} from "../../core/plugin-api/index.js";
import type { S3Place } from "./address.js";
import { isMissing, s3Fault } from "./fault.js";

/** Files as objects of a bucket. An object appears whole or not at all, which is S3's own promise. */
export class S3FileStore implements FileStore {
  readonly directUrl?: NonNullable<FileStore["directUrl"]>;

  /** @param door signs links with the address under which browsers reach the server. */
  constructor(
    private readonly client: S3Client,
    door: S3Client,
    private readonly place: S3Place,
  ) {
    if (place.links === "direct")
      this.directUrl = (key, file, ttlSeconds) =>
        this.sign(door, key, file, ttlSeconds);
  }

  /** Shows at the start that the bucket is there and may be listed, written and cleared. */
  async prepare(): Promise<void> {
    const { bucket: Bucket, prefix } = this.place;
    const probe = { Bucket, Key: `${prefix}platen-probe` };
    await this.call(async () => {
      await this.client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }));
      await this.client.send(
        new PutObjectCommand({ ...probe, Body: "It can be written." }),
      );
      await this.client.send(new DeleteObjectCommand(probe));
    });
  }

  async put(key: string, body: Uint8Array | Readable): Promise<StoredFile> {
    return this.call(() =>
      body instanceof Readable
        ? this.putStream(key, body)
        : this.putBytes(key, body),
    );
  }

  async open(
    key: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: Readable } | null> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const input = { ...this.object(key), ...(Range && { Range }) };
    const reply = await this.find(() =>
      this.client.send(new GetObjectCommand(input)),
    );
    if (reply === null || !(reply.Body instanceof Readable)) return null;
    const total = reply.ContentRange?.split("/").at(-1);
    const sizeBytes = Number(total ?? reply.ContentLength);
    return { sizeBytes, stream: reply.Body };
  }

  async size(key: string): Promise<number | null> {
    const head = await this.head(key);
    return head?.ContentLength ?? null;
  }

  async delete(key: string): Promise<void> {
    await this.call(() =>
      this.client.send(new DeleteObjectCommand(this.object(key))),
    );
  }

  async *keys(folder: string): AsyncGenerator<string> {
    const { bucket: Bucket, prefix } = this.place;
    let ContinuationToken: string | undefined;
    do {
      const input = { Bucket, Prefix: `${prefix}${folder}/` };
      const page = await this.call(() =>
        this.client.send(
          new ListObjectsV2Command({
            ...input,
            ...(ContinuationToken && { ContinuationToken }),
          }),
        ),
      );
      for (const { Key } of page.Contents ?? [])
        if (Key !== undefined) yield Key.slice(prefix.length);
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  async deleteIfOlder(key: string, time: Date): Promise<boolean> {
    const written = (await this.head(key))?.LastModified;
    if (written === undefined || written >= time) return false;
    await this.delete(key);
    return true;
  }

  private async putBytes(key: string, bytes: Uint8Array): Promise<StoredFile> {
    await this.client.send(
      new PutObjectCommand({ ...this.object(key), Body: bytes }),
    );
    const digest = createHash("sha256").update(bytes).digest("hex");
    return { sizeBytes: bytes.byteLength, checksum: `sha256:${digest}` };
  }

  /** In parts, so that no more than a few of them are held in memory. */
  private async putStream(key: string, body: Readable): Promise<StoredFile> {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    const counted = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
        done(null, chunk);
      },
    });
    body.on("error", (error) => counted.destroy(error)).pipe(counted);
    const params = { ...this.object(key), Body: counted };
    await new Upload({ client: this.client, params }).done();
    return { sizeBytes, checksum: `sha256:${hash.digest("hex")}` };
  }

  private sign(
    door: S3Client,
    key: string,
    { filename, mimeType }: DirectFile,
    ttlSeconds: number,
  ): Promise<string> {
    const command = new GetObjectCommand({
      ...this.object(key),
      ResponseContentType: mimeType,
      ResponseContentDisposition: contentDisposition(filename, {
        type: "inline",
      }),
    });
    return this.call(() =>
      getSignedUrl(door, command, { expiresIn: ttlSeconds }),
    );
  }

  private head(key: string) {
    return this.find(() =>
      this.client.send(new HeadObjectCommand(this.object(key))),
    );
  }

  private object(key: string): { Bucket: string; Key: string } {
    checkFileKey(key);
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${key}` };
  }

  /** null when there is no such file. */
  private find<T>(work: () => Promise<T>): Promise<T | null> {
    return this.call(() =>
      work().catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    );
  }

  private async call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw s3Fault(error, this.place);
    }
  }
}
