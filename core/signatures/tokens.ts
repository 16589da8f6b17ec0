import { createToken } from "../lib/tokens.js";
import type {
  RequestEnder,
  SignatureNotices,
  Signatures,
  SignatureWorker,
  SignatureWorkerOptions,
  SignedFilesSink,
} from "./index.js";

export const SIGNATURES = createToken<Signatures>("Signatures");
/** Receives the notices of e-signature providers. */
export const SIGNATURE_NOTICES =
  createToken<SignatureNotices>("SignatureNotices");
/** Starts and polls signature requests. */
export const SIGNATURE_WORKER = createToken<SignatureWorker>("SignatureWorker");
export const SIGNATURE_WORKER_OPTIONS = createToken<SignatureWorkerOptions>(
  "SignatureWorkerOptions",
);
export const REQUEST_ENDER = createToken<RequestEnder>("RequestEnder");
/** Receives signed files. Implemented by integrations/platforms. */
export const SIGNED_FILES_SINK =
  createToken<SignedFilesSink>("SignedFilesSink");
