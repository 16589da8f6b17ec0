import type { SignatureRequest } from "../store/index.js";

/** A request's row as a plain value. */
export type RequestRow = Omit<SignatureRequest, never>;
