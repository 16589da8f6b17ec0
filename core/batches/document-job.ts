/** The kind of wake-up that names a queued document. */
export const DOCUMENT_JOB = "document";
