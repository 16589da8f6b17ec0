import type { Attachment, OutFile } from "../../../plugin-api/index.js";

interface Known {
  /** Whether the platform leaves file names as they are. */
  keepsFilename: boolean;
  /** Attachments of the cell that stand for other files in our ledger. */
  claimed: ReadonlySet<string>;
}

/**
 * The attachment that a file became whose write ended without an answer; undefined: none did. `null` when nothing that
 * the platform tells of its attachments could show it.
 */
export function findWritten(
  { filename, sizeBytes }: Pick<OutFile, "filename" | "sizeBytes">,
  attachments: readonly Attachment[],
  { keepsFilename, claimed }: Known,
): Attachment | undefined | null {
  const unclaimed = attachments.filter(
    ({ remoteId }) => !claimed.has(remoteId),
  );
  const isTold = (one: Attachment) =>
    keepsFilename || one.sizeBytes !== undefined;
  if (unclaimed.some((one) => !isTold(one))) return null;
  return unclaimed.find(
    (one) =>
      (!keepsFilename || one.filename === filename) &&
      (one.sizeBytes === undefined || one.sizeBytes === sizeBytes),
  );
}

/** Of the attachments that a write has told of, the one that is this file. */
export function remoteIdOf(
  { filename }: Pick<OutFile, "filename">,
  told: readonly Attachment[],
  index: number,
): string | null {
  const named = told.findLast((one) => one.filename === filename);
  return (named ?? told[index] ?? told.at(-1))?.remoteId ?? null;
}
