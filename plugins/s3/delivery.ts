import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import {
  type DeliveryFile,
  type DeliveryPlugin,
  getPlatformErrorCode,
  type PlatformContext,
  PlatformError,
  type PlatformErrorCode,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { splitFolder } from "../lib/folders.js";
import { createS3Client, getErrorName } from "./client.js";
import { targetTranslations, translations } from "./translations.js";

export interface S3Credentials {
  /** Default: Amazon's. */
  endpoint?: string;
  region?: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Precedes the folder of each delivery. */
  prefix?: string;
  addressing?: "path" | "host";
}

type Context = PlatformContext<S3Credentials>;

/** Files as objects of a bucket, by their folders and names: an object of the same key is replaced. */
export const s3DeliveryPlugin: DeliveryPlugin<S3Credentials> = {
  meta: createMeta("delivery", "s3", "S3-compatible storage"),
  credentials: {
    schema: {
      type: "object",
      required: ["bucket", "accessKeyId", "secretAccessKey"],
      additionalProperties: false,
      translations,
      properties: {
        bucket: {
          type: "string",
          title: "Bucket",
          minLength: 1,
          maxLength: 255,
        },
        region: {
          type: "string",
          title: "Region",
          minLength: 1,
          maxLength: 64,
          default: "us-east-1",
          description: "Such as eu-central-1. Default: us-east-1.",
        },
        endpoint: {
          type: "string",
          title: "Endpoint",
          pattern: "^https?://",
          maxLength: 2000,
          description:
            "The address of a server other than Amazon's, such as https://s3.example.com.",
        },
        accessKeyId: { type: "string", title: "Access key", minLength: 1 },
        secretAccessKey: {
          type: "string",
          title: "Secret key",
          minLength: 1,
          writeOnly: true,
        },
        prefix: {
          type: "string",
          title: "Folder",
          maxLength: 500,
          description:
            "All files go below it, such as documents/platen. Leave it empty for the whole bucket.",
        },
        addressing: {
          type: "string",
          title: "Bucket in addresses",
          enum: ["path", "host"],
          description:
            "path: https://host/bucket; host: https://bucket.host. Default: host for Amazon, path for other servers.",
        },
      },
    },
  },
  target: {
    schema: {
      type: "object",
      additionalProperties: false,
      translations: targetTranslations,
      properties: {
        folder: {
          type: "string",
          title: "Folder",
          maxLength: 2000,
          description:
            "Such as invoices/{{root.year}}. A file of the same name in it is replaced.",
        },
      },
    },
  },
  capabilities: { maxBytes: 1_000_000_000, repeatable: true, message: false },
  rate: {
    key: ({ endpoint = "", accessKeyId }) => `${endpoint} ${accessKeyId}`,
    maxInFlight: 16,
    cooldownMs: 5000,
  },
  check: (context) => new Bucket(context).check(),
  async deliver(context, { target, files }) {
    const bucket = new Bucket(context);
    const uploads = files.map((file) => ({
      file,
      key: bucket.createKey([...splitFolder(target.folder), file.filename]),
    }));
    for (const { file, key } of uploads) await bucket.upload(key, file);
    const ids = uploads.map(({ key }) => bucket.describe(key));
    return { id: ids.join(", ") };
  },
};

/** The largest that S3 allows. */
const maxKeyBytes = 1024;
/** A part in memory is the smallest that S3 allows, 5 MiB. */
const partsAtOnce = 2;

class Bucket {
  readonly #client: S3Client;
  readonly #transport: HostTransport;
  readonly #name: string;

  constructor(private readonly context: Context) {
    const { endpoint, region, addressing, bucket, ...keys } =
      context.credentials;
    this.#name = bucket;
    this.#transport = new HostTransport(context);
    this.#client = createS3Client(
      {
        region: region ?? "us-east-1",
        endpoint: endpoint ?? null,
        credentials: keys,
        ...(addressing && { forcePathStyle: addressing === "path" }),
      },
      { maxAttempts: 1, requestHandler: this.#transport.handler },
    );
  }

  /** @throws PlatformError `invalid_field` for a key that is too long. */
  createKey(names: readonly string[]): string {
    const { prefix } = this.context.credentials;
    const key = [...splitFolder(prefix, "prefix"), ...names].join("/");
    if (Buffer.byteLength(key) <= maxKeyBytes) return key;
    throw new PlatformError(
      "invalid_field",
      `the folder and the name have ${Buffer.byteLength(key)} bytes, and S3 allows ${maxKeyBytes}. Shorten \`folder\` or \`filename\`, and retry the delivery.`,
      { fieldId: "folder" },
    );
  }

  describe(key: string): string {
    return `s3://${this.#name}/${key}`;
  }

  /** Begins an upload and cancels it, which needs the permission to write and creates no object. */
  async check(): Promise<{ account: string; warnings: string[] }> {
    const key = this.createKey(["platen-check"]);
    const input = { Bucket: this.#name, Key: key };
    const { UploadId } = await this.#call(key, () =>
      this.#client.send(new CreateMultipartUploadCommand(input)),
    );
    if (UploadId === undefined) throw createStrangeReplyError();
    const warnings: string[] = [];
    try {
      await this.#call(key, () =>
        this.#client.send(
          new AbortMultipartUploadCommand({ ...input, UploadId }),
        ),
      );
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== "forbidden")
        throw error;
      warnings.push(
        "The key may not cancel uploads, so parts of interrupted ones stay in the bucket. Allow it s3:AbortMultipartUpload.",
      );
    }
    const account = this.describe(this.createKey([]));
    return { account, warnings };
  }

  /** In parts, a few of which are in memory. The object appears whole, in the place of an earlier one. */
  async upload(key: string, file: DeliveryFile): Promise<void> {
    const body = await file.open();
    try {
      const { ETag } = await this.#call(key, () =>
        new Upload({
          client: this.#client,
          queueSize: partsAtOnce,
          params: {
            Bucket: this.#name,
            Key: key,
            Body: body,
            ContentType: file.contentType,
          },
        }).done(),
      );
      if (ETag === undefined) throw createStrangeReplyError();
    } finally {
      body.destroy();
    }
  }

  async #call<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { status } = this.#transport;
      throw toPlatformError(error, status, this.#name, this.describe(key));
    }
  }
}

/** As Amazon's client hands it over. */
interface S3Request {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Readonly<Record<string, string | readonly string[] | null>>;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

/** Sends the requests of Amazon's client through the host: in their turn, and only to addresses that are allowed. */
class HostTransport {
  /** Of the last reply; null before one came. */
  status: number | null = null;

  constructor(private readonly context: Context) {}

  readonly handler: NonNullable<S3ClientConfig["requestHandler"]> = {
    handle: async (request: S3Request) => {
      this.status = null;
      const { protocol, hostname, port, path, query, body } = request;
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(
          ([name]) => !connectionHeaders.has(name.toLowerCase()),
        ),
      );
      const reply = await this.context.http(
        `${protocol}//${host}${path}${createQuery(query)}`,
        {
          method: request.method,
          headers,
          ...(isBody(body) && { body }),
        },
      );
      this.status = reply.status;
      const response = {
        statusCode: reply.status,
        headers: reply.headers,
        body: Readable.from([reply.body], { objectMode: false }),
      };
      return { response };
    },
    metadata: { handlerProtocol: "http/1.1" },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

/** Those that belong to the connection, which is the host's. */
const connectionHeaders = new Set(["host", "content-length", "expect"]);

function isBody(body: unknown): body is string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array;
}

/** Encoded as it is signed. */
function createQuery(query: S3Request["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values ?? ""].flat().map((value) => `${encode(name)}=${encode(value)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function createStrangeReplyError(): PlatformError {
  return new PlatformError(
    "unavailable",
    "the server did not answer as S3 does, such as with a login page or a proxy's page. Check the endpoint of the connection.",
  );
}

/** What is wrong, and how to fix it, by the name of a failure. `{bucket}` and `{object}` stand for what it is about. */
const failures: Readonly<Record<string, [PlatformErrorCode, string]>> = {
  NoSuchBucket: [
    "not_found",
    "the bucket {bucket} does not exist. Create it, or correct the connection.",
  ],
  AccessDenied: [
    "forbidden",
    "the key may not write {object}. Allow it s3:PutObject in the bucket.",
  ],
  AllAccessDisabled: [
    "forbidden",
    "access to the bucket {bucket} is disabled. Ask its owner.",
  ],
  InvalidAccessKeyId: [
    "auth",
    "the server does not know the access key. Correct the connection.",
  ],
  SignatureDoesNotMatch: [
    "auth",
    "the secret key does not belong to the access key. Correct the connection.",
  ],
  ExpiredToken: ["auth", "the access key has expired. Save a new one."],
  PermanentRedirect: [
    "bad_config",
    "the bucket {bucket} is in another region. Correct the region of the connection.",
  ],
  AuthorizationHeaderMalformed: [
    "bad_config",
    "the server expects another region. Correct the region of the connection.",
  ],
  InvalidBucketName: [
    "bad_config",
    "the server does not accept {bucket} as the name of a bucket. Correct the connection.",
  ],
  RequestTimeTooSkewed: [
    "bad_config",
    "the clock of this service or of the server is wrong. Set it; they may differ by 15 minutes.",
  ],
  QuotaExceeded: [
    "quota_exceeded",
    "the bucket {bucket} is full. Raise its quota or delete objects, and retry the delivery.",
  ],
  XMinioAdminBucketQuotaExceeded: [
    "quota_exceeded",
    "the bucket {bucket} is full. Raise its quota or delete objects, and retry the delivery.",
  ],
  XMinioStorageFull: [
    "quota_exceeded",
    "the storage of the server is full. Free space, and retry the delivery.",
  ],
  EntityTooLarge: ["too_large", "the server accepts only smaller files."],
  KeyTooLongError: [
    "invalid_field",
    "the folder and the name are too long. Shorten them, and retry the delivery.",
  ],
  SlowDown: [
    "rate_limited",
    "the server accepts no more requests at the moment.",
  ],
};

const byStatus: Readonly<Record<number, string>> = {
  401: "InvalidAccessKeyId",
  403: "AccessDenied",
  404: "NoSuchBucket",
  413: "EntityTooLarge",
  429: "SlowDown",
};

/** @param status of the last reply. */
function toPlatformError(
  cause: unknown,
  status: number | null,
  bucket: string,
  object: string,
): unknown {
  // The host has answered instead of the server, or the file could not be read.
  if (cause instanceof PlatformError || status === null) return cause;
  const name = getErrorName(cause);
  const [code, text] = failures[name] ??
    failures[byStatus[status] ?? ""] ?? [
      status < 300 ? "unavailable" : getPlatformErrorCode(status),
      `the server refused {object} with ${status}${/^\w{1,60}$/.test(name) ? ` (${name})` : ""}.`,
    ];
  const message = text
    .replaceAll("{bucket}", () => `"${bucket}"`)
    .replaceAll("{object}", () => object);
  return new PlatformError(code, message, { cause, status });
}
