import {
  createDecipheriv,
  createHash,
  createHmac,
  pbkdf2,
  timingSafeEqual,
} from "node:crypto";
import { promisify } from "node:util";
import type {
  AlgorithmIdentifier,
  ContentInfo,
  EncryptedData,
  SafeBag,
} from "pkijs";
import { PlatenError } from "../plugin-api/index.js";

// A PKCS#12 file (RFC 7292): the private key and the certificates of somebody, encrypted with a password. The structure is
// read by PKI.js. What it cannot decrypt, since browsers cannot, is decrypted here: files of OpenSSL before version 3 and
// of Windows use RC2 and Triple DES.

/** What the file contains, as DER. */
export interface OpenedPkcs12 {
  /** PKCS#8. */
  privateKeys: Uint8Array[];
  certificates: Uint8Array[];
}

/** More take minutes, and no program writes so many. */
const MAX_ITERATIONS = 2_000_000;

/** @throws PlatenError `invalid_request` for another kind of file, a wrong password and an encryption that is not supported */
export async function openPkcs12(
  bytes: Uint8Array,
  password: string,
): Promise<OpenedPkcs12> {
  // Loaded on first use: most installations sign nothing.
  const pki = await import("pkijs");
  const { OctetString } = await import("asn1js");
  const readData = ({ content }: ContentInfo): Uint8Array => {
    if (content instanceof OctetString)
      return new Uint8Array(content.getValue());
    throw new Error("not an OCTET STRING");
  };
  const pfx = await attempt(
    () => pki.PFX.fromBER(bytes),
    isPem(bytes)
      ? "is a PEM file, not a PKCS#12 file. Convert it: openssl pkcs12 -export -inkey key.pem -in chain.pem -out certificate.p12"
      : "is not a PKCS#12 file. Send the .p12 or .pfx file that contains the certificate and its private key",
  );
  return attempt(async () => {
    if (pfx.authSafe.contentType !== DATA)
      throw fail("is protected by a certificate; use one with a password");
    const content = readData(pfx.authSafe);
    if (pfx.macData) {
      const { mac, macSalt, iterations = 1 } = pfx.macData;
      const digest = HASHES[mac.digestAlgorithm.algorithmId];
      if (digest === undefined)
        throw failAlgorithm(mac.digestAlgorithm.algorithmId);
      const key = deriveKey(
        digest,
        { purpose: 3, password, iterations },
        new Uint8Array(macSalt.getValue()),
        createHash(digest).digest().length,
      );
      const expected = createHmac(digest, key).update(content).digest();
      const actual = Buffer.from(mac.digest.getValue());
      if (
        actual.length !== expected.length ||
        !timingSafeEqual(actual, expected)
      )
        throw wrongPassword();
    }
    const opened: OpenedPkcs12 = { privateKeys: [], certificates: [] };
    const { safeContents } = pki.AuthenticatedSafe.fromBER(content);
    for (const info of safeContents) {
      const isEncrypted = info.contentType === ENCRYPTED_DATA;
      if (!isEncrypted && info.contentType !== DATA) continue;
      const { safeBags } = pki.SafeContents.fromBER(
        isEncrypted
          ? await decryptContent(
              new pki.EncryptedData({ schema: info.content }),
              password,
            )
          : readData(info),
      );
      for (const bag of safeBags) await readBag(bag, opened, password);
    }
    return opened;
  }, "is damaged. Export it once more");
}

async function readBag(
  { bagId, bagValue }: SafeBag,
  { privateKeys, certificates }: OpenedPkcs12,
  password: string,
): Promise<void> {
  const pki = await import("pkijs");
  if (bagValue instanceof pki.PKCS8ShroudedKeyBag)
    privateKeys.push(
      await decrypt(
        bagValue.encryptionAlgorithm,
        password,
        new Uint8Array(bagValue.encryptedData.getValue()),
      ),
    );
  else if (bagId === KEY_BAG)
    privateKeys.push(new Uint8Array(bagValue.toSchema().toBER()));
  else if (bagValue instanceof pki.CertBag && bagValue.certId === X509) {
    const { OctetString } = await import("asn1js");
    const { certValue } = bagValue;
    if (certValue instanceof OctetString)
      certificates.push(new Uint8Array(certValue.getValue()));
  }
}

const DATA = "1.2.840.113549.1.7.1";
const ENCRYPTED_DATA = "1.2.840.113549.1.7.6";
const KEY_BAG = "1.2.840.113549.1.12.10.1.1";
const X509 = "1.2.840.113549.1.9.22.1";
const PBES2 = "1.2.840.113549.1.5.13";
const PBKDF2 = "1.2.840.113549.1.5.12";

const HASHES: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

const HMACS: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.7": "sha1",
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512",
};

/** Ciphers with a key that is derived as PBKDF2 does. */
const CIPHERS: Readonly<
  Record<string, { name: string; keyLength: number } | undefined>
> = {
  "2.16.840.1.101.3.4.1.2": { name: "aes-128-cbc", keyLength: 16 },
  "2.16.840.1.101.3.4.1.22": { name: "aes-192-cbc", keyLength: 24 },
  "2.16.840.1.101.3.4.1.42": { name: "aes-256-cbc", keyLength: 32 },
  "1.2.840.113549.3.7": { name: "des-ede3-cbc", keyLength: 24 },
};

/** Ciphers with a key that is derived as PKCS#12 does. */
const LEGACY_CIPHERS: Readonly<
  Record<string, { name: string; keyLength: number } | undefined>
> = {
  "1.2.840.113549.1.12.1.3": { name: "des-ede3-cbc", keyLength: 24 },
  "1.2.840.113549.1.12.1.4": { name: "des-ede-cbc", keyLength: 16 },
  "1.2.840.113549.1.12.1.5": { name: "rc2", keyLength: 16 },
  "1.2.840.113549.1.12.1.6": { name: "rc2", keyLength: 5 },
};

function decryptContent(
  { encryptedContentInfo: info }: EncryptedData,
  password: string,
): Promise<Uint8Array> {
  return decrypt(
    info.contentEncryptionAlgorithm,
    password,
    new Uint8Array(info.getEncryptedContent()),
  );
}

async function decrypt(
  algorithm: AlgorithmIdentifier,
  password: string,
  encrypted: Uint8Array,
): Promise<Uint8Array> {
  const open = await createCipher(algorithm, password);
  try {
    return open(encrypted);
  } catch {
    // A wrong password is noticed here when the file has no checksum.
    throw wrongPassword();
  }
}

type Decrypt = (encrypted: Uint8Array) => Uint8Array;

async function createCipher(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  password: string,
): Promise<Decrypt> {
  const pki = await import("pkijs");
  if (algorithmId === PBES2)
    return createModernCipher(
      new pki.PBES2Params({ schema: algorithmParams }),
      password,
    );
  const cipher = LEGACY_CIPHERS[algorithmId];
  if (!cipher) throw failAlgorithm(algorithmId);
  const { Sequence, OctetString, Integer } = await import("asn1js");
  const [salt, count] =
    algorithmParams instanceof Sequence ? algorithmParams.valueBlock.value : [];
  if (!(salt instanceof OctetString) || !(count instanceof Integer))
    throw new Error("invalid parameters");
  const iterations = count.valueBlock.valueDec;
  const derive = (purpose: number, length: number) =>
    deriveKey(
      "sha1",
      { purpose, password, iterations },
      new Uint8Array(salt.getValue()),
      length,
    );
  const key = derive(1, cipher.keyLength);
  const iv = derive(2, 8);
  if (cipher.name !== "rc2")
    return (encrypted) => decipher(cipher.name, key, iv, encrypted);
  const { default: rc2 } = await import("node-forge/lib/rc2.js");
  const { default: util } = await import("node-forge/lib/util.js");
  return (encrypted) => {
    const opened = rc2.createDecryptionCipher(
      key.toString("latin1"),
      key.length * 8,
    );
    opened.start(iv.toString("latin1"));
    opened.update(util.createBuffer(Buffer.from(encrypted).toString("latin1")));
    if (!opened.finish()) throw new Error("invalid padding");
    return Buffer.from(opened.output.getBytes(), "latin1");
  };
}

async function createModernCipher(
  {
    keyDerivationFunc,
    encryptionScheme,
  }: {
    keyDerivationFunc: AlgorithmIdentifier;
    encryptionScheme: AlgorithmIdentifier;
  },
  password: string,
): Promise<Decrypt> {
  const pki = await import("pkijs");
  const { OctetString } = await import("asn1js");
  if (keyDerivationFunc.algorithmId !== PBKDF2)
    throw failAlgorithm(keyDerivationFunc.algorithmId);
  const cipher = CIPHERS[encryptionScheme.algorithmId];
  if (!cipher) throw failAlgorithm(encryptionScheme.algorithmId);
  const { prf, salt, iterationCount } = new pki.PBKDF2Params({
    schema: keyDerivationFunc.algorithmParams,
  });
  const hmac = HMACS[prf?.algorithmId ?? "1.2.840.113549.2.7"];
  if (hmac === undefined) throw failAlgorithm(prf?.algorithmId ?? "");
  const iv: unknown = encryptionScheme.algorithmParams;
  if (!(salt instanceof OctetString) || !(iv instanceof OctetString))
    throw new Error("invalid parameters");
  assertFewIterations(iterationCount);
  const key = await promisify(pbkdf2)(
    password,
    new Uint8Array(salt.getValue()),
    iterationCount,
    cipher.keyLength,
    hmac,
  );
  return (encrypted) =>
    decipher(cipher.name, key, new Uint8Array(iv.getValue()), encrypted);
}

function decipher(
  name: string,
  key: Uint8Array,
  iv: Uint8Array,
  encrypted: Uint8Array,
): Uint8Array {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(encrypted), cipher.final()]);
}

/** The key derivation of PKCS#12 (RFC 7292, appendix B.2). */
function deriveKey(
  digest: string,
  {
    purpose,
    password,
    iterations,
  }: { purpose: number; password: string; iterations: number },
  salt: Uint8Array,
  length: number,
): Buffer {
  assertFewIterations(iterations);
  const block = digest === "sha1" || digest === "sha256" ? 64 : 128;
  // UTF-16 with the most significant byte first, and a zero at the end.
  const text = Buffer.from(`${password}\0`, "utf16le").swap16();
  const repeated = [salt, text].map((part) => {
    const filled = Buffer.alloc(Math.ceil(part.length / block) * block);
    return part.length > 0 ? filled.fill(part) : filled;
  });
  const input = Buffer.concat(repeated);
  const diversifier = Buffer.alloc(block, purpose);
  const derived: Buffer[] = [];
  for (let bytes = 0; bytes < length;) {
    let hash = createHash(digest).update(diversifier).update(input).digest();
    for (let round = 1; round < iterations; round += 1)
      hash = createHash(digest).update(hash).digest();
    derived.push(hash);
    bytes += hash.length;
    const added = Buffer.alloc(block).fill(hash);
    for (let start = 0; start < input.length; start += block) {
      let carry = 1;
      for (let at = block - 1; at >= 0; at -= 1) {
        carry += (input[start + at] ?? 0) + (added[at] ?? 0);
        input[start + at] = carry & 255;
        carry >>= 8;
      }
    }
  }
  return Buffer.concat(derived).subarray(0, length);
}

function assertFewIterations(count: number): void {
  if (!(count >= 1 && count <= MAX_ITERATIONS))
    throw fail(
      `derives its key with ${count} iterations; at most ${MAX_ITERATIONS} are supported`,
    );
}

function isPem(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4096)).includes("-----BEGIN ");
}

/** @param why completes "The file …" when it fails for a reason that has no sentence of its own */
async function attempt<T>(step: () => T | Promise<T>, why: string): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw cause instanceof PlatenError ? cause : fail(why, cause);
  }
}

function fail(why: string, cause?: unknown): PlatenError {
  return new PlatenError("invalid_request", `The file ${why}.`, { cause });
}

function failAlgorithm(id: string): PlatenError {
  return fail(
    `is encrypted in a way that is not supported (${id}). Export it with AES-256 and SHA-256, as OpenSSL 3 does by default`,
  );
}

function wrongPassword(): PlatenError {
  return fail("cannot be decrypted with this password. Check the password");
}
