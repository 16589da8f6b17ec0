import { createHmac, randomBytes } from "node:crypto";

// Standard Webhooks 1.0.0: https://www.standardwebhooks.com

const prefix = "whsec_";

/** A new secret of 256 random bits. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

export interface SignedMessage {
  id: string;
  sentAt: Date;
  body: string;
}

/** The headers of a delivery; several secrets, as while one rotates, give several signatures. */
export function signedHeaders(
  secrets: readonly string[],
  { id, sentAt, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets
      .map((secret) => signatureOf(secret, signed))
      .join(" "),
  };
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}
