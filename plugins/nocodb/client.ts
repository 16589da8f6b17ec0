import * as z from "zod";
import {
  type PlatformContext,
  PlatformError,
  getPlatformErrorCode,
  type PlatformErrorCode,
  type PlatformJsonRequest,
  type BaseInfo,
  type FieldInfo,
  type FieldKind,
  type OutFile,
  type TableInfo,
  type TableScope,
} from "../../core/plugin-api/index.js";
import { createMoneyFormat } from "../lib/cells.js";
import { readReply, type ReplyErrors, sendForm } from "../lib/http-api.js";
import {
  createCredentialsSchema,
  type ServerCredentials,
  toUrl,
} from "../lib/rest-server.js";

export const credentialsSchema = createCredentialsSchema({
  en: {
    url: "The address of your NocoDB, such as https://app.nocodb.com.",
    tokenTitle: "API token",
    token:
      "In NocoDB: your picture, Account settings, Tokens, Add new API token.",
  },
  de: {
    url: "Die Adresse Ihres NocoDB, zum Beispiel https://app.nocodb.com.",
    tokenTitle: "API-Token",
    token:
      "In NocoDB: Ihr Profilbild, „Account settings“, „Tokens“, „Add new API token“.",
  },
  es: {
    url: "La dirección de su NocoDB, por ejemplo https://app.nocodb.com.",
    tokenTitle: "Token de API",
    token:
      "En NocoDB: su imagen de perfil, «Account settings», «Tokens», «Add new API token».",
  },
  fr: {
    url: "L’adresse de votre NocoDB, par exemple https://app.nocodb.com.",
    tokenTitle: "Jeton d’API",
    token:
      "Dans NocoDB : votre photo de profil, « Account settings », « Tokens », « Add new API token ».",
  },
});

export function isCloud(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname === "app.nocodb.com";
}

export type NocodbContext = PlatformContext<ServerCredentials>;

/** @throws PlatformError. */
export async function sendRequest<T>(
  context: NocodbContext,
  path: string,
  schema: z.ZodType<T>,
  request: PlatformJsonRequest = {},
): Promise<T> {
  const reply = await context.json(toUrl(context, path), {
    ...request,
    headers: { "xc-token": context.credentials.token },
  });
  return readReply(reply, schema, replyErrors);
}

const uploadsSchema = z
  .array(
    z.looseObject({
      path: z.string().nullish(),
      url: z.string().nullish(),
      title: z.string().nullish(),
    }),
  )
  .min(1);
/** An uploaded file, as a cell lists it. */
export type Upload = z.infer<typeof uploadsSchema>[number];

/** The most files of one request, by NocoDB's default. */
const maxFilesPerUpload = 10;
/** Larger files go one by one: a proxy in front of NocoDB may limit the size of a request. */
const maxBytesPerUpload = 5 * 1024 * 1024;

/** Uploads files in few requests. @returns the items to put into cells, and an error for those that have none. */
export async function uploadFiles(
  context: NocodbContext,
  files: readonly OutFile[],
): Promise<{ items: Map<OutFile, Upload>; error: unknown }> {
  const items = new Map<OutFile, Upload>();
  const errors: unknown[] = [];
  // One after the other, so that only these files are in memory.
  for (const part of divideFiles(files))
    try {
      for (const [file, item] of await uploadTogether(context, part))
        items.set(file, item);
    } catch (error) {
      errors.push(error);
    }
  return { items, error: errors[0] };
}

/** Uploads are known by their names, so that no two files of a request have the same one. */
function divideFiles(files: readonly OutFile[]): OutFile[][] {
  const parts: OutFile[][] = [];
  for (const file of files) {
    const part = parts.at(-1);
    const sizes = [file, ...(part ?? [])].map(({ sizeBytes }) => sizeBytes);
    const fits =
      sizes.length <= maxFilesPerUpload &&
      sizes.reduce((sum, size) => sum + size, 0) <= maxBytesPerUpload;
    const isNamed = part?.some(({ filename }) => filename === file.filename);
    if (part && fits && !isNamed) part.push(file);
    else parts.push([file]);
  }
  return parts;
}

async function uploadTogether(
  context: NocodbContext,
  files: readonly OutFile[],
): Promise<[OutFile, Upload][]> {
  const form = new FormData();
  for (const file of files) {
    const bytes = Buffer.from(await file.bytes());
    const blob = new Blob([bytes], { type: file.contentType });
    form.append("file", blob, file.filename);
  }
  const reply = await sendForm(
    context,
    toUrl(context, "api/v2/storage/upload"),
    form,
    { "xc-token": context.credentials.token },
  );
  const uploads = readReply(reply, uploadsSchema, replyErrors);
  return files.map((file) => {
    const item =
      files.length === 1
        ? uploads[0]
        : uploads.find(({ title }) => title === file.filename);
    if (item) return [file, item];
    throw new PlatformError("unavailable", replyErrors.unexpected);
  });
}

/** NocoDB's names of errors. It reports unknown tables and bases with 422 or 404, by the version of the path. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  ERR_AUTHENTICATION_REQUIRED: "auth",
  ERR_FORBIDDEN: "forbidden",
  ERR_BASE_NOT_FOUND: "not_found",
  ERR_TABLE_NOT_FOUND: "not_found",
  ERR_RECORD_NOT_FOUND: "not_found",
  ERR_VIEW_NOT_FOUND: "not_found",
  // Rows were deleted while they were listed.
  ERR_INVALID_OFFSET_VALUE: "conflict",
  ERR_FIELD_NOT_FOUND: "invalid_field",
};
const errorReply = z.object({ error: z.string(), message: z.string() });

export const replyErrors: ReplyErrors = {
  refused: (status, body) => {
    const { data } = errorReply.safeParse(body);
    return new PlatformError(
      (data && codes[data.error]) ?? getPlatformErrorCode(status),
      data
        ? `NocoDB refused the request: ${data.message}.`
        : `NocoDB answered with status ${status}.`,
      { status },
    );
  },
  unexpected:
    "NocoDB sent an unexpected response. Check that the address is that of a NocoDB server of version 0.260 or later.",
};

const listSchema = z.object({
  list: z.array(z.object({ id: z.string(), title: z.string() })),
});

const fieldSchema = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  options: z
    .looseObject({
      relation_type: z.string().optional(),
      related_table_id: z.string().optional(),
      /** The code of a currency, in the API's version 3 and before. */
      code: z.string().nullish().catch(null),
      currency_code: z.string().nullish().catch(null),
    })
    .nullish(),
});
const tableSchema = z.object({
  id: z.string(),
  title: z.string(),
  display_field_id: z.string().nullish(),
  fields: z.array(fieldSchema),
  views: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        view_type: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type NocodbField = z.infer<typeof fieldSchema>;
type NocodbTable = z.infer<typeof tableSchema>;

const baseListSchema = z.object({
  list: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      /** Of the token's user in the base; null for that of the workspace. */
      project_role: z.string().nullish(),
      workspace_role: z.string().nullish(),
    }),
  ),
});

const readOnlyRoles = new Set([
  "viewer",
  "commenter",
  "workspace-level-viewer",
  "workspace-level-commenter",
]);

/** @returns the bases that the token's user can see, and whether they may only read them. */
export async function listBases(
  context: NocodbContext,
): Promise<(BaseInfo & { isReadOnly: boolean })[]> {
  const path = "api/v2/meta/bases";
  const { list } = await sendRequest(context, path, baseListSchema);
  return list.map(({ id, title, project_role, workspace_role }) => ({
    id,
    name: title,
    isReadOnly: readOnlyRoles.has(project_role ?? workspace_role ?? ""),
  }));
}

/** Describes the tables of a base; without a base, those of the only one. */
export async function describe(
  context: NocodbContext,
  baseId?: string,
): Promise<TableInfo[]> {
  const base = baseId ?? (await getOnlyBase(context));
  const path = `api/v3/meta/bases/${encodeURIComponent(base)}/tables`;
  const { list } = await sendRequest(context, path, listSchema);
  return Promise.all(
    list.map(async ({ id }) => toTableInfo(await readTable(context, base, id))),
  );
}

async function getOnlyBase(context: NocodbContext): Promise<string> {
  const [base, ...others] = await listBases(context);
  if (base && others.length === 0) return base.id;
  throw new PlatformError(
    "bad_config",
    base
      ? `Choose a base. The token has access to ${[base, ...others].map(({ id, name }) => `${name} (${id})`).join(", ")}.`
      : "The token has access to no base. Share one with its user.",
  );
}

/** A table whose rows can be read and written. */
export interface OpenTable extends NocodbTable {
  /** The field that identifies rows. */
  key: NocodbField;
  /** The path of the table's data, without a trailing slash. */
  dataPath: string;
}

/** @throws PlatformError `not_found`; `unsupported` for a table without a field that identifies its rows. */
export async function openTable(
  context: NocodbContext,
  { baseId, tableId }: TableScope,
): Promise<OpenTable> {
  const base = baseId || (await getOnlyBase(context));
  const table = await readTable(context, base, tableId);
  const key = table.fields.find(({ type }) => type === "ID");
  const dataPath = `api/v3/data/${encodeURIComponent(base)}/${encodeURIComponent(tableId)}`;
  if (key) return { ...table, key, dataPath };
  throw new PlatformError(
    "unsupported",
    `The table "${table.title}" has no field of the type ID, which Platen needs to identify its rows.`,
  );
}

function readTable(
  context: NocodbContext,
  baseId: string,
  tableId: string,
): Promise<NocodbTable> {
  const path = `api/v3/meta/bases/${encodeURIComponent(baseId)}/tables/${encodeURIComponent(tableId)}`;
  return sendRequest(context, path, tableSchema);
}

function toTableInfo({
  id,
  title,
  display_field_id: primaryFieldId,
  fields,
  views,
}: NocodbTable): TableInfo {
  return {
    id,
    name: title,
    ...(primaryFieldId ? { primaryFieldId } : {}),
    fields: fields.map(toFieldInfo),
    // A form shows no records.
    views: (views ?? [])
      .filter(({ view_type: type }) => type !== "form")
      .map((view) => ({ id: view.id, name: view.title })),
  };
}

const readOnlyTypes = new Set([
  "CreatedTime",
  "LastModifiedTime",
  "ForeignKey",
]);

function toFieldInfo(field: NocodbField): FieldInfo {
  const kind = getKind(field);
  const tableId = field.options?.related_table_id;
  const many = ["hm", "mm"].includes(field.options?.relation_type ?? "");
  return {
    id: field.id,
    name: field.title,
    kind,
    native: field.type,
    writable: kind !== "computed" && !readOnlyTypes.has(field.type),
    ...(kind === "boolean" && { isEmptyNo: true }),
    ...getFormat(field),
    ...(kind === "link" && tableId ? { link: { tableId, many } } : {}),
  };
}

function getFormat({
  type,
  options,
}: NocodbField): Pick<FieldInfo, "format" | "currency"> {
  if (type === "Percent") return { format: "wholePercent" };
  const code = options?.code ?? options?.currency_code ?? "";
  // Without a code, the amounts would be printed in the template's currency.
  return type === "Currency" && code !== "" ? createMoneyFormat(code) : {};
}

const typesByKind: readonly (readonly [FieldKind, readonly string[]])[] = [
  [
    "text",
    [
      "SingleLineText",
      "LongText",
      "Email",
      "PhoneNumber",
      "URL",
      "Time",
      "GeoData",
    ],
  ],
  [
    "number",
    ["Number", "Decimal", "Currency", "Percent", "Duration", "Rating", "Year"],
  ],
  ["boolean", ["Checkbox"]],
  ["date", ["Date", "DateTime", "CreatedTime", "LastModifiedTime"]],
  ["select", ["SingleSelect", "MultiSelect"]],
  ["link", ["LinkToAnotherRecord", "Links"]],
  ["attachment", ["Attachment"]],
  ["json", ["JSON"]],
  [
    "computed",
    [
      "ID",
      "AutoNumber",
      "Formula",
      "Rollup",
      "Lookup",
      "Count",
      "Barcode",
      "QrCode",
    ],
  ],
];

/** The kind of a field; `other` for types that are not listed. */
export function getKind({ type }: NocodbField): FieldKind {
  const [kind] = typesByKind.find(([, types]) => types.includes(type)) ?? [];
  return kind ?? "other";
}
