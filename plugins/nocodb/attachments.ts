import * as z from "zod";
import {
  type Attachment,
  type OutFile,
  PlatformError,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import {
  addressOf,
  ask,
  type NocodbContext,
  upload,
  type Upload,
} from "./client.js";
import { fieldKind, type NocodbTable, onlyBase, tableOf } from "./tables.js";

const item = z.looseObject({
  path: z.string().nullish(),
  url: z.string().nullish(),
  title: z.string().nullish(),
  size: z.number().nullish(),
  signedPath: z.string().nullish(),
  signedUrl: z.string().nullish(),
});
const items = z.array(item);
const record = z.record(z.string(), z.unknown());

/** What an attachment cell holds. The address of each file is one that opens without a key, for a few hours. */
export function attachmentsOf(value: unknown, url: string): Attachment[] {
  const { success, data } = items.safeParse(value ?? []);
  if (!success) return [];
  return data.map(({ path, title, size, signedPath, ...one }) => {
    const address =
      one.signedUrl ?? (signedPath ? addressOf(url, signedPath) : one.url);
    return {
      remoteId: path ?? one.url ?? "",
      filename: title ?? "",
      ...(typeof size === "number" ? { sizeBytes: size } : {}),
      ...(address ? { url: address } : {}),
    };
  });
}

interface Cell {
  tableId: string;
  recordId: string;
  /** Titles of the fields: records are read and written by them. */
  key: string;
  field: string;
}

export async function readAttachments(
  context: NocodbContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
): Promise<Attachment[]> {
  const cell = await findCell(context, scope, recordId, fieldId);
  return attachmentsOf(await readCell(context, cell), context.credentials.url);
}

/**
 * Uploads the files, then sets the cell. What it holds is read as late as can be: NocoDB sets whole lists, and
 * disregards fields that it does not know, so the field is looked up before.
 */
export async function writeBack(
  context: NocodbContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
  files: readonly OutFile[],
  mode: WriteMode,
): Promise<Attachment[]> {
  const cell = await findCell(context, scope, recordId, fieldId);
  const added: Upload[] = [];
  for (const file of files)
    added.push(await upload(context, { ...file, bytes: await file.bytes() }));
  const kept = mode === "append" ? await readCell(context, cell) : [];
  const path = `api/v2/tables/${cell.tableId}/records`;
  await ask(context, path, z.unknown(), {
    method: "PATCH",
    json: [{ [cell.key]: recordId, [cell.field]: [...kept, ...added] }],
  });
  return attachmentsOf(added, context.credentials.url);
}

async function findCell(
  context: NocodbContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
): Promise<Cell> {
  const baseId = scope.baseId ?? (await onlyBase(context));
  const table = await tableOf(context, { baseId, tableId: scope.tableId });
  const key = table.fields.find(({ type }) => type === "ID");
  if (!key)
    throw new PlatformError(
      "unsupported",
      `The table "${table.title}" has no field of the type ID.`,
    );
  const field = attachmentField(table, fieldId);
  return { tableId: table.id, recordId, key: key.title, field };
}

function attachmentField(table: NocodbTable, fieldId: string): string {
  const field = table.fields.find(({ id }) => id === fieldId);
  if (field && fieldKind(field) === "attachment") return field.title;
  throw new PlatformError(
    "invalid_field",
    field
      ? `The field "${field.title}" is of the type ${field.type}: choose one of the type Attachment.`
      : `The table "${table.title}" has no field ${fieldId}.`,
    { fieldId },
  );
}

async function readCell(
  context: NocodbContext,
  { tableId, recordId, field }: Cell,
): Promise<z.infer<typeof items>> {
  const id = encodeURIComponent(recordId);
  const query = new URLSearchParams({ fields: field }).toString();
  const path = `api/v2/tables/${tableId}/records/${id}?${query}`;
  const held = await ask(context, path, record);
  const { success, data } = items.safeParse(held[field] ?? []);
  if (success) return data;
  throw new PlatformError(
    "unavailable",
    `NocoDB does not say what the field "${field}" holds.`,
  );
}
