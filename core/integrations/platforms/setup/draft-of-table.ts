import type { TableInfo } from "../../../plugin-api/index.js";
import type { ProjectData } from "../../../definition/index.js";
import { linkedParts } from "./linked-parts.js";
import { schemaOfTable } from "./schema-of-table.js";
import { shownValue, wordOf } from "./shown-value.js";

type Component = ProjectData["components"][number];
type Field = ProjectData["schema"][number]["fields"][number];

/** A first template of a table: its record's name, a list of its fields, and a table of each link. Not saved. */
export function draftOfTable(
  table: TableInfo,
  tables: readonly TableInfo[],
): ProjectData {
  const schema = schemaOfTable(table, tables);
  const [root] = schema;
  const [, title, ...others] = root?.fields ?? [];
  const values = others.filter((one) => !("target" in one));
  const name = title && !("target" in title) ? `{{ root.${title.name} }}` : "";
  const heading = name === "" ? table.name : name;
  return {
    schemaVersion: 1,
    schema,
    fileName: `${table.name} ${name || "{{ root.id }}"}`,
    page: {
      size: "A4",
      margin: { top: "24mm", right: "20mm", bottom: "22mm", left: "20mm" },
      footer: [pageNumber],
    },
    styles,
    components: [
      { type: "text", class: "kicker", text: wordOf(table.name) },
      { type: "heading", text: heading, style: { "margin-top": "0" } },
      ...(values.length > 0 ? [fieldList(values)] : []),
      ...linkedParts(schema),
    ],
  };
}

const pageNumber: Component = {
  type: "page-number",
  format: "Page {page} of {pages}",
  style: { "text-align": "right", "font-size": "8pt", color: "#667085" },
};

const styles: NonNullable<ProjectData["styles"]> = {
  kicker: { color: "#667085", "font-size": "9pt" },
  name: { color: "#667085" },
  head: { "font-weight": "600", "border-bottom": "1px solid #101828" },
  cell: { "border-bottom": "1px solid #e4e7ec" },
};

function fieldList(fields: readonly Field[]): Component {
  return {
    type: "table",
    columns: [{ width: "34%" }, {}],
    style: { "margin-top": "6mm" },
    components: fields.map((field) => ({
      type: "table-row",
      components: [
        {
          type: "table-cell",
          class: "cell name",
          text: wordOf(field.label ?? field.name),
        },
        {
          type: "table-cell",
          class: "cell",
          text: shownValue("root", field),
        },
      ],
    })),
  };
}
