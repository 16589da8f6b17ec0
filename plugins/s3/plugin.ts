import { S3Client } from "@aws-sdk/client-s3";
import {
  type FileStorePlugin,
  PlatenError,
  PLUGIN_API,
} from "../../core/plugin-api/index.js";
import { S3FileStore } from "./s3-file-store.js";

/** Amazon S3 and compatible servers. */
export const s3Plugin: FileStorePlugin = {
  meta: {
    kind: "file-store",
    id: "s3",
    title: "S3-compatible storage",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  scheme: "s3",
  open(address) {
    const location = parseS3Address(address);
    const { bucket, prefix, links, endpoint, publicEndpoint } = location;
    const client = createS3Client(location, endpoint);
    const signer = createS3Client(location, publicEndpoint ?? endpoint);
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

/** A client for one endpoint. Servers other than Amazon's get bucket names as paths instead of host names. */
function createS3Client(
  { region, credentials }: S3Location,
  endpoint: string | null,
): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
    // Many compatible servers do not support trailing checksums; Platen stores a SHA-256 of its own for each file.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
    },
  });
}
