/** Writes one document's files into its record's cell; the job's row is the document. */
export const WRITE_BACK_JOB = "write-back";
