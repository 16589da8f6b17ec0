import type {
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodeListSearchResult,
  ResourceMapperFields,
} from "n8n-workflow";
import type { Schemas } from "../../../../sdk/src/calls.js";
import { call, getBaseUrl } from "../../shared/api.js";

const pageSize = 100;

/** Template > Find: an item for each template whose name contains the text. */
export async function findTemplates(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const name = String(context.getNodeParameter("name", itemIndex, ""));
  const returnAll = context.getNodeParameter("returnAll", itemIndex, false);
  const limit = returnAll
    ? Infinity
    : Number(context.getNodeParameter("limit", itemIndex, 50));
  const found: INodeExecutionData[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...(name && { q: name }), page, pageSize };
    const { data } = await call(context, "listTemplates", { query, itemIndex });
    found.push(...data.data.map((template) => ({ json: { ...template } })));
    if (found.length >= Math.min(limit, data.pagination.total)) break;
  }
  return found.slice(0, limit);
}

/** The templates to choose from: those that can be rendered. */
export async function searchTemplates(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const page = Number(paginationToken ?? 1);
  const query = { ...(filter && { q: filter }), page, pageSize };
  const { data } = await call(this, "listTemplates", { query });
  const studio = `${await getBaseUrl(this)}/studio/templates`;
  const isLast = page * pageSize >= data.pagination.total;
  return {
    results: data.data
      .filter(({ isActive }) => isActive)
      .map(({ id, name }) => ({ name, value: id, url: `${studio}/${id}` })),
    ...(!isLast && { paginationToken: String(page + 1) }),
  };
}

/** The fields of the chosen template's records. */
export async function getTemplateFields(
  this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
  const options = { extractValue: true };
  const id = String(this.getNodeParameter("templateId", "", options));
  const { data } = await call(this, "getTemplate", { ids: [id] });
  const collections = "definition" in data ? data.definition.schema : [];
  const root = collections.find((collection) => collection.id === "root");
  return {
    fields: (root?.fields ?? []).map((field) => ({
      id: field.name,
      displayName: field.label ?? field.name,
      required: field.required ?? false,
      defaultMatch: false,
      display: true,
      type: toType(field),
    })),
    emptyFieldsNotice:
      "This template declares no fields. Set Data From to JSON, or declare its fields in the studio.",
  };
}

function toType(
  field: Schemas["Field"],
): NonNullable<ResourceMapperFields["fields"][number]["type"]> {
  switch (field.type) {
    case "Number":
      return "number";
    case "Date":
      return "dateTime";
    case "Boolean":
      return "boolean";
    case "OneToOneLink":
      return "object";
    case "OneToManyLink":
      return "array";
    default:
      return "string";
  }
}
