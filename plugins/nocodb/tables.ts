import * as z from "zod";
import {
  type BaseInfo,
  type FieldInfo,
  type FieldKind,
  PlatformError,
  type TableInfo,
  type TableScope,
} from "../../core/plugin-api/index.js";
import { ask, type NocodbContext } from "./client.js";

const bases = z.object({
  list: z.array(z.object({ id: z.string(), title: z.string() })),
});
const tables = bases;
const field = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  options: z
    .looseObject({
      relation_type: z.string().optional(),
      related_table_id: z.string().optional(),
    })
    .nullish(),
});
const table = z.object({
  id: z.string(),
  title: z.string(),
  display_field_id: z.string().nullish(),
  fields: z.array(field),
});
export type NocodbField = z.infer<typeof field>;
export type NocodbTable = z.infer<typeof table>;

/** What is not here is `other`. */
const kinds: Readonly<Record<string, readonly [FieldKind, ...string[]]>> = {
  text: [
    "text",
    "SingleLineText",
    "LongText",
    "Email",
    "PhoneNumber",
    "URL",
    "Time",
    "GeoData",
  ],
  number: [
    "number",
    "Number",
    "Decimal",
    "Currency",
    "Percent",
    "Duration",
    "Rating",
    "Year",
  ],
  boolean: ["boolean", "Checkbox"],
  date: ["date", "Date", "DateTime", "CreatedTime", "LastModifiedTime"],
  select: ["select", "SingleSelect", "MultiSelect"],
  link: ["link", "LinkToAnotherRecord", "Links"],
  attachment: ["attachment", "Attachment"],
  json: ["json", "JSON"],
  computed: [
    "computed",
    "ID",
    "AutoNumber",
    "Formula",
    "Rollup",
    "Lookup",
    "Count",
    "Barcode",
    "QrCode",
  ],
};
const kindOf = new Map(
  Object.values(kinds).flatMap(([kind, ...types]) =>
    types.map((type) => [type, kind] as const),
  ),
);
const readOnly = new Set(["CreatedTime", "LastModifiedTime", "ForeignKey"]);

export async function listBases(context: NocodbContext): Promise<BaseInfo[]> {
  const { list } = await ask(context, "api/v2/meta/bases", bases);
  return list.map(({ id, title }) => ({ id, name: title }));
}

/** The base's tables; without a base, those of the only one. */
export async function describe(
  context: NocodbContext,
  baseId?: string,
): Promise<TableInfo[]> {
  const base = baseId ?? (await onlyBase(context));
  const path = `api/v3/meta/bases/${encodeURIComponent(base)}/tables`;
  const { list } = await ask(context, path, tables);
  const found = await Promise.all(
    list.map(({ id }) => tableOf(context, { baseId: base, tableId: id })),
  );
  return found.map(tableInfo);
}

export async function onlyBase(context: NocodbContext): Promise<string> {
  const [base, ...others] = await listBases(context);
  if (base && others.length === 0) return base.id;
  throw new PlatformError(
    "bad_config",
    base
      ? `Say which base: the token sees ${[base, ...others].map(({ id, name }) => `${name} (${id})`).join(", ")}.`
      : "The token sees no base: share one with its user.",
  );
}

/** @throws PlatformError `not_found`. */
export function tableOf(
  context: NocodbContext,
  { baseId = "", tableId }: TableScope,
): Promise<NocodbTable> {
  const path = `api/v3/meta/bases/${encodeURIComponent(baseId)}/tables/${encodeURIComponent(tableId)}`;
  return ask(context, path, table);
}

function tableInfo({
  id,
  title,
  display_field_id,
  fields,
}: NocodbTable): TableInfo {
  return {
    id,
    name: title,
    ...(display_field_id ? { primaryFieldId: display_field_id } : {}),
    fields: fields.map(fieldInfo),
  };
}

export function fieldKind({ type }: NocodbField): FieldKind {
  return kindOf.get(type) ?? "other";
}

function fieldInfo(one: NocodbField): FieldInfo {
  const kind = fieldKind(one);
  const tableId = one.options?.related_table_id;
  const many = ["hm", "mm"].includes(one.options?.relation_type ?? "");
  return {
    id: one.id,
    name: one.title,
    kind,
    native: one.type,
    writable: kind !== "computed" && !readOnly.has(one.type),
    ...(kind === "link" && tableId ? { link: { tableId, many } } : {}),
  };
}
