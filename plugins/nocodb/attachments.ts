import * as z from "zod";
import {
  type Attachment,
  type OutFile,
  PlatformError,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import {
  type NocodbContext,
  sendRequest,
  toUrl,
  type Upload,
  uploadFile,
} from "./client.js";
import { getKind, openTable } from "./tables.js";

const itemsSchema = z.array(
  z.looseObject({
    path: z.string().nullish(),
    url: z.string().nullish(),
    title: z.string().nullish(),
    size: z.number().nullish(),
    signedPath: z.string().nullish(),
    signedUrl: z.string().nullish(),
  }),
);

/** The files of a cell. Their addresses work without a token for a few hours. */
export function parseAttachments(
  context: NocodbContext,
  value: unknown,
): Attachment[] {
  const { data = [] } = itemsSchema.safeParse(value ?? []);
  return data.map(({ path, url, title, size, signedPath, signedUrl }) => {
    const address =
      signedUrl ?? (signedPath ? toUrl(context, signedPath) : url);
    return {
      remoteId: path ?? url ?? "",
      filename: title ?? "",
      ...(typeof size === "number" ? { sizeBytes: size } : {}),
      ...(address ? { url: address } : {}),
    };
  });
}

interface Cell {
  tableId: string;
  recordId: string;
  /** Titles of the fields, by which this API reads and writes records. */
  keyTitle: string;
  fieldTitle: string;
}

export async function readAttachments(
  context: NocodbContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
): Promise<Attachment[]> {
  const cell = await findCell(context, scope, recordId, fieldId);
  return parseAttachments(context, await readCell(context, cell));
}

/**
 * Uploads the files, then sets the cell. NocoDB only sets whole lists, so the cell is read as late as possible; and it
 * ignores unknown fields, so the field is looked up first.
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
  const { tableId, keyTitle, fieldTitle } = cell;
  const added: Upload[] = [];
  for (const file of files) {
    const bytes = await file.bytes();
    added.push(...(await uploadFile(context, { ...file, bytes })));
  }
  const kept = mode === "append" ? await readCell(context, cell) : [];
  const path = `api/v2/tables/${tableId}/records`;
  await sendRequest(context, path, z.unknown(), {
    method: "PATCH",
    json: [{ [keyTitle]: recordId, [fieldTitle]: [...kept, ...added] }],
  });
  return parseAttachments(context, added);
}

/** @throws PlatformError `invalid_field` for a field that is not of the type Attachment. */
async function findCell(
  context: NocodbContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
): Promise<Cell> {
  const table = await openTable(context, scope);
  const field = table.fields.find(({ id }) => id === fieldId);
  if (field && getKind(field) === "attachment")
    return {
      tableId: table.id,
      recordId,
      keyTitle: table.key.title,
      fieldTitle: field.title,
    };
  throw new PlatformError(
    "invalid_field",
    field
      ? `The field "${field.title}" is of the type ${field.type}. Choose a field of the type Attachment.`
      : `The table "${table.title}" has no field ${fieldId}.`,
    { fieldId },
  );
}

async function readCell(
  context: NocodbContext,
  { tableId, recordId, fieldTitle }: Cell,
): Promise<z.infer<typeof itemsSchema>> {
  const id = encodeURIComponent(recordId);
  const query = new URLSearchParams({ fields: fieldTitle }).toString();
  const path = `api/v2/tables/${tableId}/records/${id}?${query}`;
  const recordSchema = z.record(z.string(), z.unknown());
  const record = await sendRequest(context, path, recordSchema);
  const { data } = itemsSchema.safeParse(record[fieldTitle] ?? []);
  if (data) return data;
  throw new PlatformError(
    "unavailable",
    `NocoDB did not return the content of the field "${fieldTitle}".`,
  );
}
