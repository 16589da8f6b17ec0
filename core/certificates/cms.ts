import {
  createHash,
  type KeyObject,
  sign,
  type X509Certificate,
} from "node:crypto";
import { promisify } from "node:util";
import * as asn1 from "asn1js";
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from "pkijs";

/** A certificate, and what follows from it for the signatures of its key. */
export interface SigningChain {
  /** The certificate, then those of the authorities that issued it, up to the root if it is known. */
  certificates: readonly [X509Certificate, ...X509Certificate[]];
  digestAlgorithm: DigestAlgorithm;
}

// The signature of a PDF: CMS SignedData (RFC 5652) with the attributes of CAdES (ETSI EN 319 122-1) that the baseline
// profile of PAdES requires. Its time is in the PDF and, when there is a timestamp server, in its timestamp: PAdES forbids
// the attribute signing-time.

const ID = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  timestampToken: "1.2.840.113549.1.9.16.2.14",
  signingCertificate: "1.2.840.113549.1.9.16.2.47",
  rsaEncryption: "1.2.840.113549.1.1.1",
} as const;

export const DIGEST_IDS = {
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
} as const;
export type DigestAlgorithm = keyof typeof DIGEST_IDS;

const ECDSA_IDS = {
  sha256: "1.2.840.10045.4.3.2",
  sha384: "1.2.840.10045.4.3.3",
  sha512: "1.2.840.10045.4.3.4",
} as const;

/** The value of a signature, and what surrounds it. */
export interface Signature {
  value: Buffer;
  /** CMS SignedData in DER. @param timestamp a timestamp token (RFC 3161) of the value */
  encode: (timestamp?: Uint8Array) => Buffer;
}

/** @param digest of the PDF, by the chain's digest algorithm @param privateKey of the chain's first certificate */
export async function createSignature(
  digest: Uint8Array,
  chain: SigningChain,
  privateKey: KeyObject,
): Promise<Signature> {
  const attributes = createSignedAttributes(digest, chain.certificates[0]);
  const signed = new asn1.Set({
    value: attributes.map((attribute) => attribute.toSchema()),
  });
  const value = await promisify(sign)(
    chain.digestAlgorithm,
    new Uint8Array(signed.toBER()),
    privateKey,
  );
  return {
    value,
    encode: (timestamp) => encode(chain, attributes, value, timestamp),
  };
}

/** How long a signature is at most. @param timestampBytes of its timestamp; null for none */
export function measureSignature(
  chain: SigningChain,
  timestampBytes: number | null,
): number {
  const { certificates, digestAlgorithm } = chain;
  const { asymmetricKeyDetails = {} } = certificates[0].publicKey;
  const { modulusLength = 0, namedCurve = "" } = asymmetricKeyDetails;
  // ECDSA: two numbers, each as long as the curve and with a zero in front, and the three headers in front of them.
  const length = isRsa(certificates[0])
    ? modulusLength / 8
    : 2 * ((CURVE_BYTES[namedCurve] ?? 66) + 3) + 3;
  const digest = createHash(digestAlgorithm).digest();
  const size = encode(
    chain,
    createSignedAttributes(digest, certificates[0]),
    Buffer.alloc(length),
  ).length;
  // The timestamp's attribute has a header, and the parts around it get longer ones.
  return timestampBytes === null ? size : size + timestampBytes + 64;
}

function isRsa({ publicKey }: X509Certificate): boolean {
  return publicKey.asymmetricKeyType === "rsa";
}

const CURVE_BYTES: Readonly<Record<string, number>> = {
  prime256v1: 32,
  secp384r1: 48,
  secp521r1: 66,
};

/** In the order of DER, since they are signed as a set. */
function createSignedAttributes(
  digest: Uint8Array,
  certificate: X509Certificate,
): Attribute[] {
  const { raw } = certificate;
  const hash = createHash("sha256").update(raw).digest();
  // ESSCertIDv2, whose default algorithm is SHA-256 (RFC 5035).
  const reference = new asn1.Sequence({
    value: [new asn1.OctetString({ valueHex: hash })],
  });
  const attributes = [
    new Attribute({
      type: ID.contentType,
      values: [new asn1.ObjectIdentifier({ value: ID.data })],
    }),
    new Attribute({
      type: ID.messageDigest,
      values: [new asn1.OctetString({ valueHex: digest })],
    }),
    new Attribute({
      type: ID.signingCertificate,
      values: [
        new asn1.Sequence({
          value: [new asn1.Sequence({ value: [reference] })],
        }),
      ],
    }),
  ];
  return sortByEncoding(attributes, (attribute) => toDer(attribute.toSchema()));
}

function encode(
  { certificates, digestAlgorithm }: SigningChain,
  signedAttributes: Attribute[],
  value: Buffer,
  timestamp?: Uint8Array,
): Buffer {
  const { issuer, serialNumber } = parseCertificate(certificates[0]);
  const digestId = new AlgorithmIdentifier({
    algorithmId: DIGEST_IDS[digestAlgorithm],
  });
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm: digestId,
    signedAttrs: new SignedAndUnsignedAttributes({
      type: 0,
      attributes: signedAttributes,
    }),
    signatureAlgorithm: isRsa(certificates[0])
      ? new AlgorithmIdentifier({
          algorithmId: ID.rsaEncryption,
          algorithmParams: new asn1.Null(),
        })
      : new AlgorithmIdentifier({ algorithmId: ECDSA_IDS[digestAlgorithm] }),
    signature: new asn1.OctetString({ valueHex: value }),
    ...(timestamp && { unsignedAttrs: createTimestampAttribute(timestamp) }),
  });
  const signedData = new SignedData({
    version: 1,
    digestAlgorithms: [digestId],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: ID.data }),
    certificates: sortByEncoding([...certificates], ({ raw }) => raw).map(
      parseCertificate,
    ),
    signerInfos: [signer],
  });
  const info = new ContentInfo({
    contentType: ID.signedData,
    content: signedData.toSchema(true),
  });
  return toDer(info.toSchema());
}

function createTimestampAttribute(
  token: Uint8Array,
): SignedAndUnsignedAttributes {
  return new SignedAndUnsignedAttributes({
    type: 1,
    attributes: [
      new Attribute({
        type: ID.timestampToken,
        values: [asn1.fromBER(token).result],
      }),
    ],
  });
}

/** Parsing takes longer than signing. */
const parsed = new WeakMap<X509Certificate, Certificate>();

export function parseCertificate(certificate: X509Certificate): Certificate {
  const cached = parsed.get(certificate);
  if (cached) return cached;
  const decoded = Certificate.fromBER(new Uint8Array(certificate.raw));
  parsed.set(certificate, decoded);
  return decoded;
}

export function toDer(schema: asn1.BaseBlock): Buffer {
  return Buffer.from(schema.toBER());
}

function sortByEncoding<T>(list: T[], toBytes: (item: T) => Buffer): T[] {
  return list.toSorted((item, other) =>
    Buffer.compare(toBytes(item), toBytes(other)),
  );
}
