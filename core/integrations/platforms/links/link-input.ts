import { PlatenError, type Format } from "../../../plugin-api/index.js";

/** What a link is to make of records, and where they are. */
export interface LinkInput {
  templateId: string;
  platform: string;
  /** Default: the template's name. */
  name?: string | undefined;
  /** Each defaults as in a batch of the platform's records. */
  connectionId?: string | undefined;
  baseId?: string | undefined;
  tableId?: string | undefined;
  attachmentField?: string | undefined;
  formats?: readonly Format[] | undefined;
  overwriteExisting?: boolean | undefined;
  /** Default: it does not end. */
  expiresAt?: Date | undefined;
}

const longestName = 200;

/** @throws PlatenError `invalid_request`. */
export function parseLinkName(name: string): string {
  const text = name.trim();
  if (text !== "" && text.length <= longestName) return text;
  throw new PlatenError(
    "invalid_request",
    `$.name: must have 1 to ${longestName} characters.`,
  );
}

/** @throws PlatenError `invalid_request` for a time that is over. */
export function parseEnd(expiresAt: Date | undefined): Date | null {
  if (expiresAt === undefined) return null;
  if (expiresAt.getTime() > Date.now()) return expiresAt;
  throw new PlatenError(
    "invalid_request",
    "$.expiresAt: is over already. Give a later time, or leave it out for a link that does not end.",
  );
}
