import { createToken } from "../lib/tokens.js";
import type {
  EsignWorkParts,
  SignatureNotices,
  Signatures,
  SignatureWorker,
  SignedFilesSink,
} from "./index.js";

export const SIGNATURES = createToken<Signatures>("Signatures");
/** Receives the notices of e-signature providers. */
export const SIGNATURE_NOTICES =
  createToken<SignatureNotices>("SignatureNotices");
/** Starts and polls signature requests. */
export const SIGNATURE_WORKER = createToken<SignatureWorker>("SignatureWorker");
export const ESIGN_PARTS = createToken<EsignWorkParts>("EsignWorkParts");
/** Receives signed files. Implemented by integrations/platforms. */
export const SIGNED_FILES_SINK =
  createToken<SignedFilesSink>("SignedFilesSink");
