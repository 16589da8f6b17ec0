import { PlatenError } from "../../core/plugin-api/index.js";

/** Where the files lie, as the address in PLATEN_FILE_STORE says. */
export interface S3Place {
  bucket: string;
  /** Before every key; empty, or with a `/` at its end. */
  prefix: string;
  region: string;
  /** null: Amazon's own. */
  endpoint: string | null;
  /** Where users' browsers reach the same server, if not at `endpoint`. */
  publicEndpoint: string | null;
  /** null: from the environment, as Amazon's tools find them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Whether downloads are sent to the server itself by a short-lived link, or pass through us. */
  links: "direct" | "proxy";
}

const known = new Set(["region", "endpoint", "publicEndpoint", "links"]);

/**
 * Reads `s3://[KEY:SECRET@]bucket[/prefix][?region=…&endpoint=…&publicEndpoint=…&links=direct|proxy]`.
 * @throws PlatenError `invalid_request`, without the secret.
 */
export function parseS3Address(address: URL): S3Place {
  const { searchParams, hostname, pathname } = address;
  if (hostname === "") throw refusal("it names no bucket");
  for (const name of searchParams.keys())
    if (!known.has(name)) throw refusal(`it has an unknown setting "${name}"`);
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, "");
  return {
    bucket: decodeURIComponent(hostname),
    prefix: prefix === "" ? "" : `${prefix}/`,
    region: searchParams.get("region") ?? "us-east-1",
    endpoint: endpointOf(searchParams, "endpoint"),
    publicEndpoint: endpointOf(searchParams, "publicEndpoint"),
    credentials: credentialsOf(address),
    links: linksOf(searchParams.get("links")),
  };
}

function endpointOf(settings: URLSearchParams, name: string): string | null {
  const text = settings.get(name);
  if (text === null) return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw refusal(`its ${name} is no http or https address`);
  return text;
}

function credentialsOf({ username, password }: URL): S3Place["credentials"] {
  if (username === "") return null;
  if (password === "")
    throw refusal("it names an access key without its secret");
  return {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
}

function linksOf(text: string | null): S3Place["links"] {
  if (text === null || text === "direct") return "direct";
  if (text === "proxy") return "proxy";
  throw refusal('its links are neither "direct" nor "proxy"');
}

function refusal(fault: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `PLATEN_FILE_STORE cannot be used: ${fault}. Example: ` +
      "s3://KEY:SECRET@bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com",
  );
}
