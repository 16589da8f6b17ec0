import type { SignatureRequest } from "../storage/database/index.js";

/** A request's row as a plain value. */
export type RequestRow = Omit<SignatureRequest, never>;
