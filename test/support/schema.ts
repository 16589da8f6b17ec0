import type { ProjectData } from "../../core/plugin-api/definition.js";

type Schema = ProjectData["schema"];

/**
 * A schema in short: the fields of each collection with their types, such as "number String, lines OneToManyLink line",
 * where `line` is the collection that the link leads to. A required field is "number! String", and one that another field
 * of the platform fills "number String = Order No.".
 * @param connection where the data of `root` is
 */
export function toSchema(
  collections: Readonly<Record<string, string>>,
  connection?: object,
): Schema {
  const schema = Object.entries(collections).map(([id, fields]) => ({
    id,
    ...(id === "root" && connection && { connection }),
    fields: fields.split(", ").filter(Boolean).map(toField),
  }));
  // The types of fields are what each test says.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return schema as Schema;
}

function toField(text: string) {
  const [field = "", source] = text.split(" = ");
  const [name = "", type, target] = field.split(" ");
  return {
    name: name.replace("!", ""),
    ...(source !== undefined && { source }),
    type,
    ...(target !== undefined && { target }),
    ...(name.endsWith("!") && { required: true }),
  };
}
