import {
  createPrivateKey,
  type KeyObject,
  type PrivateKeyInput,
  X509Certificate,
} from "node:crypto";
import { PlatenError } from "../plugin-api/index.js";
import {
  type DigestAlgorithm,
  parseCertificate,
  type SigningChain,
} from "./cms.js";

/** A key and certificates, as DER. */
export interface IdentityParts {
  /** PKCS#8. */
  privateKey: Uint8Array;
  certificates: readonly Uint8Array[];
}

/**
 * Finds the key and its certificate in a file, and checks that recipients can verify what they sign.
 * @throws PlatenError `invalid_request`
 */
export function selectIdentity(
  opened: {
    privateKeys: readonly Uint8Array[];
    certificates: readonly Uint8Array[];
  },
  now: Date,
): IdentityParts {
  if (opened.privateKeys.length === 0)
    throw fail(
      "contains no private key. Export the certificate together with its private key",
    );
  const certificates = opened.certificates.map((der) => parseX509(der));
  if (certificates.length === 0)
    throw fail("contains no certificate. Export it with its certificate");
  for (const der of opened.privateKeys) {
    const privateKey = parseKey(der);
    const certificate = certificates.find((candidate) =>
      candidate.checkPrivateKey(privateKey),
    );
    if (!certificate) continue;
    assertUsable(certificate, privateKey, now);
    const chain = findChain(certificate, certificates);
    return { privateKey: der, certificates: chain.map(({ raw }) => raw) };
  }
  throw fail(
    "contains a private key that belongs to none of its certificates. Export the certificate that was issued for this key",
  );
}

/** @param certificates that `selectIdentity` returned */
export function parseChain(certificates: readonly Uint8Array[]): SigningChain {
  const [first, ...others] = certificates.map((der) => parseX509(der));
  const digestAlgorithm = first && findDigestAlgorithm(first.publicKey);
  if (!first || !digestAlgorithm)
    throw new Error("the stored certificate cannot be used");
  return { certificates: [first, ...others], digestAlgorithm };
}

/** Whether a certificate is valid at this time; null, or what completes "The certificate …". */
export function findValidityProblem(
  { validFromDate, validToDate }: X509Certificate,
  now: Date,
): string | null {
  if (now < validFromDate)
    return `is not valid before ${formatDay(validFromDate)}`;
  if (now > validToDate) return `expired on ${formatDay(validToDate)}`;
  return null;
}

function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function assertUsable(
  certificate: X509Certificate,
  privateKey: KeyObject,
  now: Date,
): void {
  const { modulusLength = 0, namedCurve } =
    privateKey.asymmetricKeyDetails ?? {};
  if (findDigestAlgorithm(privateKey) === null)
    throw fail(
      `has a key of the type ${namedCurve ?? privateKey.asymmetricKeyType ?? "unknown"}, which many PDF readers cannot verify. Use RSA with 2048 bits or more, or the elliptic curves P-256, P-384 or P-521`,
    );
  if (privateKey.asymmetricKeyType === "rsa" && modulusLength < MIN_RSA_BITS)
    throw fail(
      `has an RSA key of ${modulusLength} bits, which is not secure. Use one with ${MIN_RSA_BITS} bits or more`,
    );
  const problem = findValidityProblem(certificate, now);
  if (problem !== null)
    throw fail(
      `contains a certificate that ${problem}. Use one that is valid now`,
    );
  if (!maySign(certificate))
    throw fail(
      "contains a certificate whose key usage does not allow signatures. Use one for signing documents, with the key usage digitalSignature or nonRepudiation",
    );
}

const MIN_RSA_BITS = 2048;

/** Null for keys that are not supported. */
function findDigestAlgorithm(key: KeyObject): DigestAlgorithm | null {
  if (key.asymmetricKeyType === "rsa") return "sha256";
  if (key.asymmetricKeyType !== "ec") return null;
  return CURVES[key.asymmetricKeyDetails?.namedCurve ?? ""]?.digest ?? null;
}

const CURVES: Readonly<
  Record<string, { name: string; digest: DigestAlgorithm } | undefined>
> = {
  prime256v1: { name: "P-256", digest: "sha256" },
  secp384r1: { name: "P-384", digest: "sha384" },
  secp521r1: { name: "P-521", digest: "sha512" },
};

/** `RSA 2048`, `EC P-256`. */
export function describeKey({ publicKey }: X509Certificate): string {
  const { modulusLength, namedCurve = "" } =
    publicKey.asymmetricKeyDetails ?? {};
  return publicKey.asymmetricKeyType === "rsa"
    ? `RSA ${modulusLength ?? ""}`
    : `EC ${CURVES[namedCurve]?.name ?? namedCurve}`;
}

const KEY_USAGE = "2.5.29.15";

/** A certificate that says nothing of how its key is used may be used for anything. */
function maySign(certificate: X509Certificate): boolean {
  const usage = parseCertificate(certificate).extensions?.find(
    ({ extnID }) => extnID === KEY_USAGE,
  );
  if (!usage) return true;
  // A BIT STRING of at least one byte, which begins with digitalSignature and nonRepudiation (RFC 5280, 4.2.1.3).
  const [, , , bits = 0] = new Uint8Array(usage.extnValue.getValue());
  return (bits & 0b1100_0000) !== 0;
}

/** A certificate, its issuer, the issuer's issuer and so on, as far as the file contains them. */
function findChain(
  certificate: X509Certificate,
  all: readonly X509Certificate[],
): X509Certificate[] {
  const chain = [certificate];
  for (let last = certificate; ;) {
    const issuer = all.find(
      (candidate) => !chain.includes(candidate) && isIssuedBy(last, candidate),
    );
    if (!issuer) return chain;
    chain.push(issuer);
    last = issuer;
  }
}

function isIssuedBy(
  certificate: X509Certificate,
  issuer: X509Certificate,
): boolean {
  return (
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  );
}

function parseX509(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw fail("contains a damaged certificate. Export it once more", cause);
  }
}

export function parseKey(der: Uint8Array): KeyObject {
  const input: PrivateKeyInput = {
    key: Buffer.from(der),
    format: "der",
    type: "pkcs8",
  };
  try {
    return createPrivateKey(input);
  } catch (cause) {
    throw fail(
      "contains a private key of an unsupported type. Use an RSA key, or one of the elliptic curves P-256, P-384 or P-521",
      cause,
    );
  }
}

function fail(why: string, cause?: unknown): PlatenError {
  return new PlatenError("invalid_request", `The file ${why}.`, { cause });
}
