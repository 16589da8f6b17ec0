import { createToken } from "../lib/tokens.js";
import type {
  SignatureWorkerPorts,
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
export const SIGNATURE_PORTS = createToken<SignatureWorkerPorts>(
  "SignatureWorkerPorts",
);
/** Receives signed files. Implemented by integrations/platforms. */
export const SIGNED_FILES_SINK =
  createToken<SignedFilesSink>("SignedFilesSink");
