import { createToken } from "../lib/tokens.js";
import type { EsignWorkParts, SignatureNotices, Signatures } from "./index.js";

export const SIGNATURES = createToken<Signatures>("Signatures");
/** Receives the notices of e-signature providers. */
export const SIGNATURE_NOTICES =
  createToken<SignatureNotices>("SignatureNotices");
/** Starts and watches signature requests. */
export const ESIGN_PARTS = createToken<EsignWorkParts>("EsignWorkParts");
