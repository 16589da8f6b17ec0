import type { ProjectData } from "../../../definition/index.js";
import { PathNames } from "./path-names.js";
import { shownValue, wordOf } from "./shown-value.js";

type Collection = ProjectData["schema"][number];
type Field = Collection["fields"][number];
type Link = Extract<Field, { target: string }>;
type Component = ProjectData["components"][number];

/** What a record links to: one record as a line under its name, many as a table. */
export function linkedParts(schema: readonly Collection[]): Component[] {
  const rows = new PathNames(["root", "group"]);
  const [root] = schema;
  return (root?.fields ?? []).flatMap((field) => {
    if (!("target" in field)) return [];
    const collection = schema.find(({ id }) => id === field.target);
    const fields = collection?.fields.slice(1) ?? [];
    if (fields.length === 0) return [];
    const words = wordOf(field.label ?? field.name);
    const heading: Component = { type: "heading", level: 2, text: words };
    const part =
      field.type === "OneToOneLink"
        ? oneRecord(field, fields)
        : manyRecords(field, fields, rows.give(`${field.name}Row`, "row"));
    return [{ type: "container", style: top, components: [heading, part] }];
  });
}

const top = { "margin-top": "8mm" };

function oneRecord({ name }: Link, fields: readonly Field[]): Component {
  const texts = fields.map((field) => shownValue(`root.${name}`, field));
  return { type: "text", text: texts.join("\n") };
}

function manyRecords(
  { name }: Link,
  fields: readonly Field[],
  collectionId: string,
): Component {
  return {
    type: "table",
    columns: fields.map(({ type }) =>
      type === "Number" ? { align: "right" } : {},
    ),
    components: [
      row(
        "head",
        fields.map((field) => wordOf(field.label ?? field.name)),
        { header: true },
      ),
      row(
        "cell",
        fields.map((field) => shownValue(collectionId, field)),
        { collection: { collectionId, path: `root.${name}` } },
      ),
    ],
  };
}

function row(
  style: string,
  texts: readonly string[],
  more: Partial<Extract<Component, { type: "table-row" }>>,
): Component {
  return {
    type: "table-row",
    ...more,
    components: texts.map((text) => ({
      type: "table-cell",
      class: style,
      text,
    })),
  };
}
