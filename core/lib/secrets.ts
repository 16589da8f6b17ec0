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
 * Keeps secrets of one purpose: encrypted with a key derived from the service's secret, each bound to what it belongs
 * to. What was sealed under an earlier secret of the service is still opened, and sealed anew by `reseal`.
 */
export class SecretBox {
  readonly #keys: readonly [Key, ...Key[]];

  /** @param serviceSecrets the one in use, then earlier ones. */
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

  /** @param owner the id of what the secret belongs to. */
  async seal(secret: string, owner: string): Promise<string> {
    const [{ id, bytes }] = this.#keys;
    return new CompactEncrypt(new TextEncoder().encode(secret))
      .setProtectedHeader({ ...algorithm, sub: owner, kid: id })
      .encrypt(bytes);
  }

  /** @throws PlatenError `unavailable` when it was sealed with a key that we have not, or for another owner. */
  async open(sealed: string, owner: string): Promise<string> {
    const faults: unknown[] = [];
    for (const { bytes } of this.#keys)
      try {
        return await decrypt(sealed, owner, bytes);
      } catch (fault) {
        faults.push(fault);
      }
    throw new PlatenError(
      "unavailable",
      "A saved secret cannot be read: the service's own secret was changed. Name the old one in " +
        "PLATEN_PREVIOUS_SECRETS, or enter the saved secret anew.",
      { cause: new AggregateError(faults) },
    );
  }

  /** The same secret under the key in use; null when it is under it already. @throws as `open` does. */
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
