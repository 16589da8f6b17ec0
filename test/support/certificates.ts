import {
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import * as asn1 from "asn1js";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AuthenticatedSafe,
  BasicConstraints,
  CertBag,
  Certificate,
  Extension,
  ExtKeyUsage,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  PublicKeyInfo,
  SafeBag,
  SafeContents,
} from "pkijs";

// Authorities, certificates and PKCS#12 files for tests.

export type KeyType =
  "rsa-1024" | "rsa-2048" | "P-256" | "P-384" | "P-521" | "ed25519";

/** A certificate with its key. */
export interface Issued {
  certificate: Certificate;
  der: Uint8Array;
  key: KeyObject;
}

interface CertificateOptions {
  name?: string;
  key?: KeyType;
  /** By default, it signs itself. */
  issuer?: Issued;
  validFrom?: Date;
  validUntil?: Date;
  isAuthority?: boolean;
  /** The bits of its key usage; digitalSignature and nonRepudiation by default. */
  keyUsage?: number;
  /** Its only purpose, as an object identifier. */
  purpose?: string;
}

const DAY = 24 * 60 * 60_000;
const DIGITAL_SIGNATURE = 0xc0;
const CERTIFICATE_SIGNATURE = 0x06;

/** Issues a certificate for a new key. */
export function issueCertificate({
  name = "Example",
  key: keyType = "rsa-2048",
  issuer,
  validFrom = new Date(Date.now() - DAY),
  validUntil = new Date(Date.now() + 365 * DAY),
  isAuthority = false,
  keyUsage = isAuthority ? CERTIFICATE_SIGNATURE : DIGITAL_SIGNATURE,
  purpose,
}: CertificateOptions = {}): Issued {
  const { privateKey, publicKey } = generateKey(keyType);
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new asn1.Integer({
    valueHex: Buffer.concat([Buffer.from([1]), randomBytes(8)]),
  });
  certificate.subject.typesAndValues.push(toNamePart("2.5.4.3", name));
  certificate.issuer = issuer?.certificate.subject ?? certificate.subject;
  certificate.notBefore.value = validFrom;
  certificate.notAfter.value = validUntil;
  certificate.subjectPublicKeyInfo = PublicKeyInfo.fromBER(
    new Uint8Array(publicKey.export({ format: "der", type: "spki" })),
  );
  certificate.extensions = [
    toExtension(
      "2.5.29.19",
      new BasicConstraints({ cA: isAuthority }).toSchema(),
      true,
    ),
    toExtension(
      "2.5.29.15",
      new asn1.BitString({ valueHex: Uint8Array.of(keyUsage), unusedBits: 1 }),
      true,
    ),
    // Nobody says whether these certificates were revoked, and this says that nobody needs to (ETSI EN 319 412-1, 5.2).
    ...(isAuthority
      ? []
      : [toExtension("0.4.0.194121.2.1", new asn1.Null(), false)]),
    ...(purpose === undefined
      ? []
      : [
          toExtension(
            "2.5.29.37",
            new ExtKeyUsage({ keyPurposes: [purpose] }).toSchema(),
            true,
          ),
        ]),
  ];
  const issuerKey = issuer?.key ?? privateKey;
  const algorithm = new AlgorithmIdentifier({
    algorithmId:
      issuerKey.asymmetricKeyType === "rsa"
        ? "1.2.840.113549.1.1.11"
        : issuerKey.asymmetricKeyType === "ec"
          ? "1.2.840.10045.4.3.2"
          : "1.3.101.112",
    ...(issuerKey.asymmetricKeyType === "rsa" && {
      algorithmParams: new asn1.Null(),
    }),
  });
  certificate.signature = algorithm;
  certificate.signatureAlgorithm = algorithm;
  certificate.tbsView = new Uint8Array(certificate.encodeTBS().toBER());
  certificate.signatureValue = new asn1.BitString({
    valueHex: sign(
      issuerKey.asymmetricKeyType === "ed25519" ? null : "sha256",
      certificate.tbsView,
      issuerKey,
    ),
  });
  const der = new Uint8Array(certificate.toSchema(true).toBER());
  return { certificate: Certificate.fromBER(der), der, key: privateKey };
}

function generateKey(type: KeyType) {
  if (type.startsWith("rsa-"))
    return generateKeyPairSync("rsa", { modulusLength: Number(type.slice(4)) });
  if (type === "ed25519") return generateKeyPairSync("ed25519");
  return generateKeyPairSync("ec", { namedCurve: type });
}

function toNamePart(type: string, value: string): AttributeTypeAndValue {
  return new AttributeTypeAndValue({
    type,
    value: new asn1.Utf8String({ value }),
  });
}

function toExtension(
  extnID: string,
  value: asn1.BaseBlock,
  critical: boolean,
): Extension {
  return new Extension({ extnID, critical, extnValue: value.toBER() });
}

/** An authority, one below it, and the certificate that that one issues. */
export function issueChain(options: CertificateOptions = {}): {
  root: Issued;
  intermediate: Issued;
  signer: Issued;
} {
  const root = issueCertificate({ name: "Example Root", isAuthority: true });
  const intermediate = issueCertificate({
    name: "Example Issuer",
    issuer: root,
    isAuthority: true,
  });
  const signer = issueCertificate({ issuer: intermediate, ...options });
  return { root, intermediate, signer };
}

/** A PKCS#12 file as current programs write it: PBES2 with AES-256, SHA-256. */
export async function writePkcs12(
  {
    key,
    certificates,
  }: { key: KeyObject | null; certificates: readonly Issued[] },
  password: string,
): Promise<Buffer> {
  const text = new TextEncoder().encode(password).buffer;
  const encryption = {
    contentEncryptionAlgorithm: { name: "AES-CBC", length: 256 },
    hmacHashAlgorithm: "SHA-256",
    iterationCount: 2048,
  };
  const keys: SafeBag[] = [];
  if (key) {
    const info = PrivateKeyInfo.fromBER(
      new Uint8Array(key.export({ format: "der", type: "pkcs8" })),
    );
    const bag = new PKCS8ShroudedKeyBag({ parsedValue: info });
    await bag.makeInternalValues({ password: text, ...encryption });
    keys.push(
      new SafeBag({ bagId: "1.2.840.113549.1.12.10.1.2", bagValue: bag }),
    );
  }
  const bags = certificates.map(
    ({ certificate }) =>
      new SafeBag({
        bagId: "1.2.840.113549.1.12.10.1.3",
        bagValue: new CertBag({ parsedValue: certificate }),
      }),
  );
  const safe = new AuthenticatedSafe({
    parsedValue: {
      safeContents: [
        ...(keys.length > 0
          ? [{ privacyMode: 0, value: new SafeContents({ safeBags: keys }) }]
          : []),
        ...(bags.length > 0
          ? [{ privacyMode: 1, value: new SafeContents({ safeBags: bags }) }]
          : []),
      ],
    },
  });
  await safe.makeInternalValues({
    safeContents: [
      ...(keys.length > 0 ? [{}] : []),
      ...(bags.length > 0 ? [{ password: text, ...encryption }] : []),
    ],
  });
  const pfx = new PFX({
    parsedValue: { integrityMode: 0, authenticatedSafe: safe },
  });
  await pfx.makeInternalValues({
    password: text,
    iterations: 2048,
    pbkdf2HashAlgorithm: "SHA-256",
    hmacHashAlgorithm: "SHA-256",
  });
  return Buffer.from(pfx.toSchema().toBER());
}

/** The certificate with its key and its chain, in a file with the password `secret`. */
export function toPkcs12(...[first, ...issuers]: Issued[]): Promise<Buffer> {
  if (!first) throw new Error("no certificate");
  const { key } = first;
  return writePkcs12({ key, certificates: [first, ...issuers] }, "secret");
}
