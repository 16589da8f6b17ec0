import type { Problem } from "../../plugin-api/index.js";
import type { DataCollection, Field } from "../schema/data-schema.js";
import { suggestion } from "./suggest.js";

/** Second pass: collections have names of their own, the first is the root, and links lead to one of them. */
export function checkDataModel(schema: readonly DataCollection[]): Problem[] {
  return [
    ...checkRoot(schema),
    ...checkConnections(schema),
    ...repeated(schema, "$.schema", ({ id }) => id, "id"),
    ...schema.flatMap(({ fields }, index) => [
      ...repeated(fields, `$.schema[${index}].fields`, (f) => f.name, "name"),
      ...checkLinks(fields, `$.schema[${index}].fields`, schema),
    ]),
  ];
}

function checkRoot([first]: readonly DataCollection[]): Problem[] {
  if (first === undefined || first.id === "root") return [];
  return [
    {
      path: "$.schema[0].id",
      code: "wrong_value",
      message: `The first collection must be "root", but it is ${JSON.stringify(first.id)}.`,
      hint: "Put the collection of the root record first and name it root.",
    },
  ];
}

function checkConnections(schema: readonly DataCollection[]): Problem[] {
  return schema.flatMap(({ connection }, index) =>
    connection === undefined || index === 0
      ? []
      : [
          {
            path: `$.schema[${index}].connection`,
            code: "misplaced",
            message: "Only the root collection has a connection.",
            hint: "Move it to $.schema[0].connection.",
          },
        ],
  );
}

function repeated<T>(
  list: readonly T[],
  path: string,
  nameOf: (item: T) => string,
  property: string,
): Problem[] {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const name = nameOf(item);
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [
      {
        path: `${path}[${index}].${property}`,
        code: "duplicate_id",
        message: `${JSON.stringify(name)} is already taken in this list.`,
        hint: "Give each its own name.",
      },
    ];
  });
}

function checkLinks(
  fields: readonly Field[],
  path: string,
  schema: readonly DataCollection[],
): Problem[] {
  const ids = schema.map(({ id }) => id);
  return fields.flatMap((field, index) =>
    !("target" in field) || ids.includes(field.target)
      ? []
      : [
          {
            path: `${path}[${index}].target`,
            code: "unknown_collection",
            message: `There is no collection ${JSON.stringify(field.target)} in the schema.`,
            hint: suggestion(field.target, ids),
          },
        ],
  );
}
