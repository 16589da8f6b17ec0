import { createHash, randomBytes, X509Certificate } from "node:crypto";
import * as asn1 from "asn1js";
import {
  AlgorithmIdentifier,
  Certificate,
  MessageImprint,
  PKIStatus,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from "pkijs";
import type { Outbound } from "../lib/outbound/index.js";
import { type Deadline, PlatenError } from "../plugin-api/index.js";
import { DIGEST_IDS, toDer } from "./cms.js";
import { findValidityProblem } from "./signing-identity.js";

// Timestamps (RFC 3161): a server signs a hash together with the time, which proves that a signature existed then.

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
const STATEMENT = "The PDF cannot be signed with a timestamp:";

/**
 * Has a timestamp server sign a hash of `data`, and checks its answer.
 * @returns the timestamp token: CMS SignedData in DER
 * @throws PlatenError `unavailable` when the server gives no valid timestamp, `invalid_request` for an address that is not
 * allowed
 */
export async function requestTimestamp(
  outbound: Pick<Outbound, "fetch">,
  url: string,
  data: Uint8Array,
  deadline: Deadline,
): Promise<Uint8Array> {
  const nonce = randomBytes(8);
  // A positive number without zeros in front, as DER requires.
  nonce[0] = 1 + ((nonce[0] ?? 0) & 0x3f);
  const digest = createHash("sha256").update(data).digest();
  const body = createRequest(digest, nonce);
  deadline.check("it waited for a timestamp");
  const { status, body: answer } = await outbound
    .fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/timestamp-query",
        accept: "application/timestamp-reply",
      },
      body,
      timeoutMs: Math.min(TIMEOUT_MS, deadline.remainingMs),
      maxBytes: MAX_BYTES,
      signal: deadline.signal,
    })
    .catch((cause: unknown) => {
      deadline.check("it waited for a timestamp");
      if (!(cause instanceof PlatenError)) throw cause;
      const code = cause.retryable ? "unavailable" : cause.code;
      throw new PlatenError(code, `${STATEMENT} ${cause.message}`, { cause });
    });
  const { host } = new URL(url);
  if (status !== 200) throw fail(host, `answered with the status ${status}`);
  return checkAnswer({ host, data, digest, nonce }, answer);
}

function createRequest(digest: Uint8Array, nonce: Uint8Array): Uint8Array {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({
        algorithmId: DIGEST_IDS.sha256,
      }),
      hashedMessage: new asn1.OctetString({ valueHex: digest }),
    }),
    nonce: new asn1.Integer({ valueHex: nonce }),
    certReq: true,
  });
  return toDer(request.toSchema());
}

interface Request {
  host: string;
  data: Uint8Array;
  digest: Uint8Array;
  nonce: Uint8Array;
}

async function checkAnswer(
  { host, data, digest, nonce }: Request,
  answer: Uint8Array,
): Promise<Uint8Array> {
  const { token, signedData, info } = parseAnswer(host, answer);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (
    hashAlgorithm.algorithmId !== DIGEST_IDS.sha256 ||
    !isEqual(hashedMessage.getValue(), digest)
  )
    throw fail(host, "returned a timestamp of something else");
  if (!info.nonce || !isEqual(info.nonce.valueBlock.valueHexView, nonce))
    throw fail(host, "returned the timestamp of another request");
  const isSigned = await signedData
    .verify({ signer: 0, data: new Uint8Array(data).buffer })
    .catch((cause: unknown) => {
      throw fail(host, "returned a timestamp that cannot be verified", cause);
    });
  if (!isSigned)
    throw fail(host, "returned a timestamp with a wrong signature");
  const signer = findSigner(signedData);
  if (!signer || !isForTimestamps(signer))
    throw fail(
      host,
      "returned a timestamp whose certificate is not for timestamps",
    );
  const certificate = new X509Certificate(toDer(signer.toSchema()));
  const problem = findValidityProblem(certificate, info.genTime);
  if (problem !== null) throw fail(host, `has a certificate that ${problem}`);
  return token;
}

function parseAnswer(host: string, answer: Uint8Array) {
  const response = parse(host, () => TimeStampResp.fromBER(answer));
  const { status, statusStrings = [] } = response.status;
  if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods) {
    const why = statusStrings
      .map(({ valueBlock }) => valueBlock.value)
      .join(" ");
    throw fail(
      host,
      `rejected the request${why === "" ? "" : ` (${why.slice(0, 200)})`}`,
    );
  }
  return parse(host, () => {
    const { timeStampToken } = response;
    if (timeStampToken?.contentType !== SIGNED_DATA)
      throw new Error("no token");
    const token = toDer(timeStampToken.toSchema());
    // What is put into the PDF must be what was signed.
    if (!Buffer.from(answer).includes(token)) throw new Error("not DER");
    const signedData = new SignedData({ schema: timeStampToken.content });
    const { eContentType, eContent } = signedData.encapContentInfo;
    if (eContentType !== TST_INFO || !eContent) throw new Error("no content");
    return { token, signedData, info: TSTInfo.fromBER(eContent.getValue()) };
  });
}

function parse<T>(host: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw fail(host, "did not return a timestamp", cause);
  }
}

/** The certificate of the only signer. */
function findSigner({
  certificates = [],
  signerInfos,
}: SignedData): Certificate | undefined {
  const [{ sid } = { sid: null }, ...others] = signerInfos;
  if (others.length > 0) return undefined;
  return certificates.find(
    (candidate): candidate is Certificate =>
      candidate instanceof Certificate &&
      sid !== null &&
      "serialNumber" in sid &&
      candidate.issuer.isEqual(sid.issuer) &&
      candidate.serialNumber.isEqual(sid.serialNumber),
  );
}

/** The certificate's only purpose, and marked as critical (RFC 3161, 2.3). */
function isForTimestamps({ extensions = [] }: Certificate): boolean {
  const usage = extensions.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  const purposes: unknown = usage?.parsedValue?.keyPurposes;
  return (
    usage?.critical === true &&
    Array.isArray(purposes) &&
    purposes.length === 1 &&
    purposes[0] === TIME_STAMPING
  );
}

function isEqual(bytes: ArrayBuffer | Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(new Uint8Array(bytes)).equals(other);
}

function fail(host: string, why: string, cause?: unknown): PlatenError {
  return new PlatenError(
    "unavailable",
    `${STATEMENT} the timestamp server ${host} ${why}.`,
    { cause },
  );
}
