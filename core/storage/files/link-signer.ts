import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Signs texts with a key of its own, derived from the service's secret: a signature made for one purpose is worth
 * nothing for another.
 */
export class LinkSigner {
  private readonly key: Buffer;

  constructor(secret: string, purpose: string) {
    this.key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  }

  /** 43 characters of base64url. */
  sign(text: string): string {
    return createHmac("sha256", this.key).update(text).digest("base64url");
  }

  /**
   * In constant time. The signature is compared as text: decoded, its last character could be changed without
   * changing a byte.
   */
  matches(text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
