import { randomBytes } from "node:crypto";

/** 256 random bits, which need no slow hash; as long as what the log masks in paths. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}
