import type { RowSearch, TableScope } from "../../core/plugin-api/index.js";
import type { AirtableClient } from "./client.js";
import { baseOf, pageSize, tablePath } from "./fetch-rows.js";
import { recordsReply } from "./rows.js";

/** The ids of the first records, or of those whose field holds the text. */
export async function findRows(
  client: AirtableClient,
  scope: TableScope,
  { limit, ...search }: RowSearch,
): Promise<string[]> {
  const formula = formulaOf(search);
  const { records } = await client.send(
    {
      method: "POST",
      baseId: baseOf(scope),
      path: `${tablePath(scope)}/listRecords`,
      needs: "data.records:read",
      body: {
        pageSize: Math.min(limit, pageSize),
        fields: [],
        ...(formula !== null && { filterByFormula: formula }),
      },
    },
    recordsReply,
  );
  return records.map(({ id }) => id);
}

/** The text stands in quotes, and nothing of it can end them. */
function formulaOf({
  text = "",
  fieldId = "",
}: Omit<RowSearch, "limit">): string | null {
  if (text === "" || !/^fld[A-Za-z0-9]{14}$/.test(fieldId)) return null;
  const escaped = text
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"');
  return `SEARCH(LOWER("${escaped}"), LOWER({${fieldId}} & ""))`;
}
