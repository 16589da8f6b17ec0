import type { SecretBox } from "../lib/secrets.js";
import { createToken } from "../lib/tokens.js";
import type { SigningCertificates } from "./index.js";

export const SIGNING_CERTIFICATES = createToken<SigningCertificates>(
  "SigningCertificates",
);
/** Encrypts the private keys of signing certificates. */
export const SIGNING_KEY_SECRETS = createToken<SecretBox>(
  "signing key secrets",
);
