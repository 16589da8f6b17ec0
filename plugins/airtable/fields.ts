import { z } from "zod";
import type {
  FieldInfo,
  FieldKind,
  TableInfo,
} from "../../core/plugin-api/index.js";

const field = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  options: z
    .object({
      linkedTableId: z.string().optional(),
      prefersSingleRecordLink: z.boolean().optional(),
    })
    .nullish(),
});

const table = z.object({
  id: z.string(),
  name: z.string(),
  primaryFieldId: z.string(),
  fields: z.array(field),
});

export const tablesReply = z.object({ tables: z.array(table) });

/** Types that Airtable adds later are `other`: their values pass as they come. */
const kinds: Readonly<Record<string, FieldKind>> = {
  singleLineText: "text",
  multilineText: "text",
  richText: "text",
  email: "text",
  url: "text",
  phoneNumber: "text",
  number: "number",
  currency: "number",
  percent: "number",
  duration: "number",
  rating: "number",
  checkbox: "boolean",
  date: "date",
  dateTime: "date",
  singleSelect: "select",
  multipleSelects: "select",
  multipleRecordLinks: "link",
  multipleAttachments: "attachment",
  formula: "computed",
  rollup: "computed",
  count: "computed",
  multipleLookupValues: "computed",
  autoNumber: "computed",
  createdTime: "computed",
  lastModifiedTime: "computed",
  createdBy: "computed",
  lastModifiedBy: "computed",
  externalSyncSource: "computed",
  aiText: "computed",
  button: "computed",
  barcode: "json",
  singleCollaborator: "json",
  multipleCollaborators: "json",
};

export function tableInfo({
  id,
  name,
  primaryFieldId,
  fields,
}: z.infer<typeof table>): TableInfo {
  return { id, name, primaryFieldId, fields: fields.map(fieldInfo) };
}

function fieldInfo({
  id,
  name,
  type: native,
  options,
}: z.infer<typeof field>): FieldInfo {
  const kind = kinds[native] ?? "other";
  const writable = kind !== "computed" && kind !== "other";
  const linked = kind === "link" ? options?.linkedTableId : undefined;
  const many = options?.prefersSingleRecordLink !== true;
  return {
    id,
    name,
    kind,
    native,
    writable,
    ...(linked !== undefined && { link: { tableId: linked, many } }),
  };
}
