import { createHash } from "node:crypto";
import { Readable, Transform } from "node:stream";
import {
  type S3Client,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { create as contentDisposition } from "content-disposition";
import {
  type FileStorePlugin,
  PlatenError,
  type ByteRange,
  checkFileKey,
  type DirectFile,
  type FileStore,
  type StoredFile,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { createS3Client, getErrorName } from "./client.js";

export const s3Plugin: FileStorePlugin = {
  meta: createMeta("file-store", "s3", "S3-compatible storage"),
  scheme: "s3",
  open(address) {
    const location = parseS3Address(address);
    const { bucket, prefix, links, endpoint, publicEndpoint } = location;
    const client = openClient(location, endpoint);
    const signer = openClient(location, publicEndpoint ?? endpoint);
    const store = new S3FileStore(client, {
      name: bucket,
      prefix,
      signer: links === "direct" ? signer : null,
    });
    return Promise.resolve(store);
  },
};

/** The storage that PLATEN_FILE_STORE names. */
interface S3Location {
  bucket: string;
  /** Precedes every key; empty, or ends with `/`. */
  prefix: string;
  region: string;
  /** null: Amazon's own. */
  endpoint: string | null;
  /** The address at which browsers reach the same server, when it is not `endpoint`. */
  publicEndpoint: string | null;
  /** null: from the environment, as Amazon's tools find them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Whether downloads redirect to a short-lived link of the server, or pass through Platen. */
  links: "direct" | "proxy";
}

const knownSettings = new Set([
  "region",
  "endpoint",
  "publicEndpoint",
  "links",
]);

/**
 * Parses `s3://[KEY:SECRET@]bucket[/prefix][?region=…&endpoint=…&publicEndpoint=…&links=direct|proxy]`.
 * @throws PlatenError `invalid_request`, whose message does not contain the secret.
 */
function parseS3Address(address: URL): S3Location {
  const { searchParams, hostname, pathname } = address;
  if (hostname === "") throw invalidAddress("it names no bucket");
  for (const name of searchParams.keys())
    if (!knownSettings.has(name))
      throw invalidAddress(`it has an unknown setting "${name}"`);
  const links = searchParams.get("links") ?? "direct";
  if (links !== "direct" && links !== "proxy")
    throw invalidAddress('its links must be "direct" or "proxy"');
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, "");
  return {
    bucket: decodeURIComponent(hostname),
    prefix: prefix === "" ? "" : `${prefix}/`,
    region: searchParams.get("region") ?? "us-east-1",
    endpoint: readEndpoint(searchParams, "endpoint"),
    publicEndpoint: readEndpoint(searchParams, "publicEndpoint"),
    credentials: readCredentials(address),
    links,
  };
}

function readEndpoint(settings: URLSearchParams, name: string): string | null {
  const text = settings.get(name);
  if (text === null) return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw invalidAddress(`its ${name} is not an http or https address`);
  return text;
}

function readCredentials({
  username,
  password,
}: URL): S3Location["credentials"] {
  if (username === "") return null;
  if (password === "")
    throw invalidAddress("it names an access key without its secret");
  return {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
}

function invalidAddress(reason: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `PLATEN_FILE_STORE cannot be used: ${reason}. Example: ` +
      "s3://KEY:SECRET@bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com",
  );
}

const connectionTimeoutMs = 5_000;
const requestTimeoutMs = 60_000;

/** Platen stores a SHA-256 of its own for each file. */
function openClient(location: S3Location, endpoint: string | null): S3Client {
  return createS3Client(
    { ...location, endpoint },
    {
      maxAttempts: 4,
      requestHandler: {
        connectionTimeout: connectionTimeoutMs,
        requestTimeout: requestTimeoutMs,
      },
    },
  );
}

interface S3Bucket {
  name: string;
  /** Precedes every key; empty, or ends with `/`. */
  prefix: string;
  /** Signs download links with the address at which browsers reach the server; null: downloads pass through Platen. */
  signer: S3Client | null;
}

/** Files as objects of a bucket. S3 guarantees that an object appears whole or not at all. */
class S3FileStore implements FileStore {
  readonly directUrl?: NonNullable<FileStore["directUrl"]>;

  constructor(
    private readonly client: S3Client,
    private readonly bucket: S3Bucket,
  ) {
    const { signer } = bucket;
    if (signer !== null)
      this.directUrl = (key, file, ttlSeconds) =>
        this.sign(signer, key, file, ttlSeconds);
  }

  /** Checks that the bucket exists and can be listed, written and deleted from. */
  async prepare(): Promise<void> {
    const { name: Bucket, prefix } = this.bucket;
    const probe = { Bucket, Key: `${prefix}platen-probe` };
    await this.call(async () => {
      await this.client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }));
      await this.client.send(
        new PutObjectCommand({
          ...probe,
          Body: "Platen can write to this bucket.",
        }),
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
    const { name: Bucket, prefix } = this.bucket;
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

  /** Uploads in parts, a few of which are in memory at a time. */
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
    signer: S3Client,
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
      getSignedUrl(signer, command, { expiresIn: ttlSeconds }),
    );
  }

  private head(key: string) {
    return this.find(() =>
      this.client.send(new HeadObjectCommand(this.object(key))),
    );
  }

  private object(key: string): { Bucket: string; Key: string } {
    checkFileKey(key);
    return { Bucket: this.bucket.name, Key: `${this.bucket.prefix}${key}` };
  }

  /** Returns null when the file does not exist. */
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
      throw toStoreError(error, this.bucket);
    }
  }
}

const hints: Readonly<Record<string, string>> = {
  NoSuchBucket: "the bucket does not exist. Create it, or correct its name",
  AccessDenied:
    "access is denied. Allow the key to read, write, list and delete in the bucket",
  InvalidAccessKeyId: "the access key does not exist",
  SignatureDoesNotMatch: "the secret does not belong to the access key",
  CredentialsProviderError:
    "no credentials were found. Put them in the address, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  PermanentRedirect:
    "the bucket is in another region. Set region in the address",
  ENOTFOUND: "the host of the endpoint does not exist",
  ECONNREFUSED: "no server answers at the endpoint",
};

/** Whether the server reports a missing file, as opposed to a missing bucket. */
function isMissing(error: unknown): boolean {
  return ["NoSuchKey", "NotFound"].includes(getErrorName(error));
}

function toStoreError(error: unknown, { name }: S3Bucket): PlatenError {
  if (error instanceof PlatenError) return error;
  const hint = hints[getErrorName(error)] ?? hints[getCode(error)];
  return new PlatenError(
    "unavailable",
    hint === undefined
      ? `The file store "${name}" cannot be read or written at the moment.`
      : `The file store "${name}" cannot be used: ${hint}.`,
    { cause: error },
  );
}

function getCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
