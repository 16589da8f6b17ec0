import { createHash, createHmac, randomUUID } from "node:crypto";
import {
  FakeRefusal,
  FakeServer,
  type FakeReply,
  type FakeRequest,
} from "./fake-server.js";

// One bucket as S3 serves it by paths, on the loopback interface. It refuses what S3 does, with S3's codes
// (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html):
// - requests without a signature of version 4 that covers the host, the date and the digest of the body, for this key, region
//   and bucket, and that is at most 15 minutes old (…/API/sig-v4-authenticating-requests.html)
// - keys of more than 1,024 bytes (docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html)
// - parts that were not uploaded or have another tag, that are not in their order, or of less than 5 MiB, but for the last;
//   part numbers beyond 10,000 (docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html)
// - what the key may not do (`denied`), and a full bucket as MinIO answers it
// The same suite runs against OpenStack Swift: PLATEN_TEST_S3_URL, which scripts/s3.sh prints.

interface S3Object {
  bytes: Buffer;
  contentType: string;
}

interface S3Upload {
  key: string;
  contentType: string;
  parts: Map<number, Buffer>;
}

const region = "eu-central-1";
const minPartBytes = 5 * 1024 * 1024;
const maxKeyBytes = 1024;
const maxPartNumber = 10_000;
const maxSkewMs = 15 * 60_000;

export class FakeS3 extends FakeServer {
  readonly bucket = "documents";
  readonly accessKeyId = "AKIAEXAMPLE";
  readonly secretAccessKey = "secret/of+the=key";
  readonly region = region;
  readonly objects = new Map<string, S3Object>();
  readonly uploads = new Map<string, S3Upload>();
  /** Hosts in whose names requests may be signed, for proxies in front of it. */
  readonly hosts = new Set<string>();
  /** What the key may not do, such as `PutObject` and `AbortMultipartUpload`. */
  readonly denied = new Set<string>();
  /** The most bytes that the bucket holds. */
  quota = Infinity;
  /** Answered to so many requests to come. */
  slowDowns = 0;

  static async start(): Promise<FakeS3> {
    const fake = await new FakeS3().listen();
    fake.hosts.add(new URL(fake.url).host);
    return fake;
  }

  protected respond(request: FakeRequest): FakeReply {
    const { status = 200, headers = {}, xml = "" } = this.#answer(request);
    return { status, headers: { ...xmlHeaders, ...headers }, body: xml };
  }

  #answer(request: FakeRequest): S3Reply {
    this.authenticate(request);
    if (this.slowDowns > 0) {
      this.slowDowns -= 1;
      throw refuse(503, "SlowDown");
    }
    const { method, path, query, headers, bytes: body } = request;
    const [, bucket = "", ...rest] = path.split("/");
    if (decodeURIComponent(bucket) !== this.bucket)
      throw refuse(404, "NoSuchBucket");
    const key = decodeURIComponent(rest.join("/"));
    if (key === "") throw refuse(405, "MethodNotAllowed");
    if (Buffer.byteLength(key) > maxKeyBytes)
      throw refuse(400, "KeyTooLongError");
    const contentType = headers["content-type"] ?? "binary/octet-stream";
    const uploadId = query.get("uploadId");
    if (method === "POST" && query.has("uploads")) {
      this.allow("PutObject");
      const id = randomUUID();
      this.uploads.set(id, { key, contentType, parts: new Map() });
      return {
        xml: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      };
    }
    if (uploadId === null && method === "PUT") {
      this.allow("PutObject");
      return this.keep(key, { bytes: body, contentType });
    }
    const upload = this.uploads.get(uploadId ?? "");
    if (upload?.key !== key) throw refuse(404, "NoSuchUpload");
    if (method === "DELETE") {
      this.allow("AbortMultipartUpload");
      this.uploads.delete(uploadId ?? "");
      return { status: 204 };
    }
    this.allow("PutObject");
    if (method === "PUT") {
      const number = Number(query.get("partNumber"));
      if (!Number.isInteger(number) || number < 1 || number > maxPartNumber)
        throw refuse(400, "InvalidArgument");
      upload.parts.set(number, body);
      return { headers: { etag: createEtag(body) } };
    }
    if (method !== "POST") throw refuse(405, "MethodNotAllowed");
    return this.complete(uploadId ?? "", upload, body.toString());
  }

  /** The parts in their order, each but the last of the least size, with the tags that they were answered with. */
  private complete(id: string, upload: S3Upload, xml: string): S3Reply {
    const wanted = [
      ...xml.matchAll(
        /<Part>.*?<ETag>(.*?)<\/ETag>.*?<PartNumber>(\d+)<\/PartNumber>.*?<\/Part>/gs,
      ),
    ];
    const numbers = wanted.map(([, , number]) => Number(number));
    if (numbers.some((number, at) => number <= (numbers[at - 1] ?? 0)))
      throw refuse(400, "InvalidPartOrder");
    const parts = wanted.map(([, tag = "", number]) => {
      const bytes = upload.parts.get(Number(number));
      const isSame =
        bytes && createEtag(bytes) === tag.replaceAll("&quot;", '"');
      if (!isSame) throw refuse(400, "InvalidPart");
      return bytes;
    });
    if (parts.length === 0) throw refuse(400, "MalformedXML");
    if (parts.slice(0, -1).some(({ byteLength }) => byteLength < minPartBytes))
      throw refuse(400, "EntityTooSmall");
    const bytes = Buffer.concat(parts);
    const { headers } = this.keep(upload.key, {
      bytes,
      contentType: upload.contentType,
    });
    this.uploads.delete(id);
    return {
      xml: `<CompleteMultipartUploadResult><ETag>${headers?.etag}</ETag></CompleteMultipartUploadResult>`,
    };
  }

  private keep(key: string, object: S3Object): S3Reply {
    const others = [...this.objects].filter(([name]) => name !== key);
    const used = others.reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
    if (used + object.bytes.length > this.quota)
      throw refuse(400, "XMinioAdminBucketQuotaExceeded");
    this.objects.set(key, object);
    return { headers: { etag: createEtag(object.bytes) } };
  }

  private allow(action: string): void {
    if (this.denied.has(action)) throw refuse(403, "AccessDenied");
  }

  /** Signature version 4, with the body in it. */
  private authenticate({
    method,
    url,
    headers,
    bytes: body,
  }: FakeRequest): void {
    const { authorization = "" } = headers;
    const found =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        authorization,
      );
    if (!found) throw refuse(403, "AccessDenied");
    const [, id, day = "", usedRegion, signed = "", signature] = found;
    if (id !== this.accessKeyId) throw refuse(403, "InvalidAccessKeyId");
    if (usedRegion !== region)
      throw refuse(400, "AuthorizationHeaderMalformed");
    const digest = headers["x-amz-content-sha256"];
    if (digest !== hash(body)) throw refuse(400, "XAmzContentSHA256Mismatch");
    const query = [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join("&");
    const names = signed.split(";");
    if (!names.includes("host")) throw refuse(403, "AccessDenied");
    if (!names.includes("x-amz-date")) throw refuse(403, "AccessDenied");
    const date = headers["x-amz-date"] ?? "";
    const age = Math.abs(Date.now() - parseDate(date));
    if (!(age <= maxSkewMs)) throw refuse(403, "RequestTimeTooSkewed");
    const scope = `${day}/${region}/s3/aws4_request`;
    const isSigned = [...this.hosts].some((host) => {
      const lines = names.map(
        (name) =>
          `${name}:${name === "host" ? host : (headers[name] ?? "").trim()}\n`,
      );
      const request = [method, url.pathname, query, lines.join(""), signed];
      const text = [
        "AWS4-HMAC-SHA256",
        date,
        scope,
        hash([...request, digest].join("\n")),
      ].join("\n");
      const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(
        (secret, part) => hmac(secret, part),
        `AWS4${this.secretAccessKey}`,
      );
      return hmac(key, text).toString("hex") === signature;
    });
    if (!isSigned) throw refuse(403, "SignatureDoesNotMatch");
  }
}

interface S3Reply {
  status?: number;
  headers?: Record<string, string>;
  xml?: string;
}

const xmlHeaders = { "content-type": "application/xml" };

function refuse(status: number, code: string): FakeRefusal {
  const xml = `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return new FakeRefusal(status, xml, xmlHeaders);
}

/** Reads `20261129T133000Z`. */
function parseDate(date: string): number {
  const [, ...parts] =
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(date) ?? [];
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  return parts.length === 0 ? Number.NaN : Date.UTC(year, month - 1, ...rest);
}

function createEtag(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
