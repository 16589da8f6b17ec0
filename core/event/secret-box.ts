import { hkdfSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";
import { PlatenError } from "../contract/index.js";

const algorithm = { alg: "dir", enc: "A256GCM" } as const;

/** Keeps endpoints' secrets: encrypted with a key derived from the service's secret, each bound to its endpoint. */
export class SecretBox {
  readonly #key: Uint8Array;

  constructor(serviceSecret: string) {
    this.#key = new Uint8Array(
      hkdfSync("sha256", serviceSecret, "", "webhook secrets", 32),
    );
  }

  async seal(secret: string, endpointId: string): Promise<string> {
    return new CompactEncrypt(new TextEncoder().encode(secret))
      .setProtectedHeader({ ...algorithm, sub: endpointId })
      .encrypt(this.#key);
  }

  /** @throws PlatenError `unavailable` when it was sealed with another key or for another endpoint. */
  async open(sealed: string, endpointId: string): Promise<string> {
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(
        sealed,
        this.#key,
        {
          keyManagementAlgorithms: [algorithm.alg],
          contentEncryptionAlgorithms: [algorithm.enc],
        },
      );
      if (protectedHeader.sub !== endpointId)
        throw new Error("sealed for another endpoint");
      return new TextDecoder().decode(plaintext);
    } catch (cause) {
      throw new PlatenError(
        "unavailable",
        "The endpoint's secret cannot be read: the service's own secret was changed. Rotate the endpoint's secret.",
        { cause },
      );
    }
  }
}
