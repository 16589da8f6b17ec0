import { hkdfSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";
import { PlatenError } from "../plugin-api/index.js";

// Encryption of stored credentials, with keys derived from the service's own secret. Callers decide
// where the result is stored.

const algorithm = { alg: "dir", enc: "A256GCM" } as const;

interface Key {
  id: string;
  bytes: Uint8Array;
}

/**
 * Encrypts secrets of one purpose with a key derived from the service's secret, each bound to its owner. Opens secrets
 * that were sealed under previous secrets of the service; `reseal` seals them under the current one.
 */
export class SecretBox {
  readonly #keys: readonly [Key, ...Key[]];

  /** The current secret of the service, then previous ones. */
  constructor(
    [secret, ...earlier]: readonly [string, ...string[]],
    purpose: string,
  ) {
    const keyOf = (each: string) => deriveKey(each, purpose);
    this.#keys = [keyOf(secret), ...earlier.map(keyOf)];
  }

  /** Identifies the encryption key without revealing it. */
  get keyId(): string {
    return this.#keys[0].id;
  }

  /** @param owner the id of the object that the secret belongs to. */
  async seal(secret: string, owner: string): Promise<string> {
    const [{ id, bytes }] = this.#keys;
    return new CompactEncrypt(new TextEncoder().encode(secret))
      .setProtectedHeader({ ...algorithm, sub: owner, kid: id })
      .encrypt(bytes);
  }

  /** @throws PlatenError `unavailable` when it was sealed with an unknown key or for another owner. */
  async open(sealed: string, owner: string): Promise<string> {
    const errors: unknown[] = [];
    for (const { bytes } of this.#keys)
      try {
        return await decrypt(sealed, owner, bytes);
      } catch (error) {
        errors.push(error);
      }
    throw new PlatenError(
      "unavailable",
      "A saved secret cannot be decrypted because the service's own secret changed. Add the old one to " +
        "PLATEN_PREVIOUS_SECRETS, or enter the saved secret again.",
      { cause: new AggregateError(errors) },
    );
  }

  /** Seals it with the current key; null when it already is. @throws PlatenError like `open`. */
  async reseal(sealed: string, owner: string): Promise<string | null> {
    try {
      await decrypt(sealed, owner, this.#keys[0].bytes);
      return null;
    } catch {
      return this.seal(await this.open(sealed, owner), owner);
    }
  }
}

function deriveKey(secret: string, purpose: string): Key {
  const derive = (info: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", info, bytes));
  return {
    id: derive(`${purpose} key id`, 8).toString("hex"),
    bytes: new Uint8Array(derive(purpose, 32)),
  };
}

async function decrypt(
  sealed: string,
  owner: string,
  key: Uint8Array,
): Promise<string> {
  const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: [algorithm.alg],
    contentEncryptionAlgorithms: [algorithm.enc],
  });
  if (protectedHeader.sub !== owner)
    throw new Error("sealed for another owner");
  return new TextDecoder().decode(plaintext);
}
