import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

// A key is `plk_` and 256 random bits. So much chance needs no slow hash: SHA-256 can be neither guessed nor undone.

export function newKey(): string {
  return `plk_${randomBytes(32).toString("base64url")}`;
}

/** What may be shown of a key. */
export function prefixOf(key: string): string {
  return key.slice(0, "plk_".length + 8);
}

export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Compares in a time that does not depend on where they differ. */
export function isSameHash(one: string, other: string): boolean {
  return (
    one.length === other.length &&
    timingSafeEqual(Buffer.from(one), Buffer.from(other))
  );
}
