import { z } from "zod";
import type { Attachment, Row } from "../../core/plugin-api/index.js";

export const recordReply = z.object({
  id: z.string(),
  fields: z.record(z.string(), z.unknown()).default({}),
});

export const recordsReply = z.object({
  records: z.array(recordReply),
  offset: z.string().optional(),
});

const recordId = /^rec[A-Za-z0-9]{14}$/;

/** Airtable's ids say what they are, so that a value is known for what it is without the table's schema. */
export function isRecordId(id: string): boolean {
  return recordId.test(id);
}

/** An empty cell is not among a record's fields. */
export function rowOf({ id, fields }: z.infer<typeof recordReply>): Row {
  const row: Row = { id, fields: {}, links: {} };
  for (const [fieldId, value] of Object.entries(fields)) {
    const links = linksOf(value);
    if (links !== null) row.links[fieldId] = links;
    else row.fields[fieldId] = attachmentsOf(value) ?? value;
  }
  return row;
}

function linksOf(value: unknown): string[] | null {
  const links = z.array(z.string().regex(recordId)).min(1).safeParse(value);
  return links.success ? [...new Set(links.data)] : null;
}

const attachment = z.object({
  id: z.string().startsWith("att"),
  url: z.string(),
  filename: z.string().default(""),
  size: z.number().optional(),
});

/** The files of a cell, as Airtable lists them; null for what is no such list. */
export function attachmentsOf(value: unknown): Attachment[] | null {
  const files = z.array(attachment).min(1).safeParse(value);
  if (!files.success) return null;
  return files.data.map(({ id: remoteId, url, filename, size }) => ({
    remoteId,
    filename,
    url,
    ...(size !== undefined && { sizeBytes: size }),
  }));
}
