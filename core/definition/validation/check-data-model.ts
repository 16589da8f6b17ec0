import { type Problem, PlatenError } from "../../plugin-api/index.js";
import { layOutPaper } from "../page/paper.js";
import type { DataCollection, Field } from "../schema/data-schema.js";
import type { PageSetup } from "../schema/output-schema.js";
import { suggestion } from "./problems.js";

/** Second pass: checks that names are unique, that the first collection is the root and that links have targets. */
export function checkDataModel(schema: readonly DataCollection[]): Problem[] {
  const ids = new Set(schema.map(({ id }) => id));
  return [
    ...checkRoot(schema),
    ...checkConnections(schema),
    ...repeated(schema, "$.schema", ({ id }) => id, "id"),
    ...schema.flatMap(({ fields }, index) => [
      ...repeated(fields, `$.schema[${index}].fields`, (f) => f.name, "name"),
      ...checkLinks(fields, `$.schema[${index}].fields`, ids),
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
      hint: "Move the collection of the root record to the front and name it root.",
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
            message: "Only the root collection may have a connection.",
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
        message: `${JSON.stringify(name)} is already used in this list.`,
        hint: "Give this one a unique name.",
      },
    ];
  });
}

function checkLinks(
  fields: readonly Field[],
  path: string,
  ids: ReadonlySet<string>,
): Problem[] {
  return fields.flatMap((field, index) =>
    !("target" in field) || ids.has(field.target)
      ? []
      : [
          {
            path: `${path}[${index}].target`,
            code: "unknown_collection",
            message: `The schema has no collection named ${JSON.stringify(field.target)}.`,
            hint: suggestion(field.target, ids),
          },
        ],
  );
}

/** Second pass: checks that the page setup leaves space for content. */
export function checkPage(page: PageSetup | undefined): Problem[] {
  if (page === undefined) return [];
  const { size, width, height } = page;
  const isCustom = size === "Custom";
  if (isCustom && (width === undefined || height === undefined))
    return [
      {
        path: "$.page.size",
        code: "missing_property",
        message: 'The page size "Custom" needs a width and a height.',
        hint: 'Add them: "width": "100mm", "height": "150mm".',
      },
    ];
  if (!isCustom && (width !== undefined || height !== undefined))
    return [
      {
        path: `$.page.${width === undefined ? "height" : "width"}`,
        code: "misplaced",
        message: `The page size ${size ?? "A4"} has a fixed width and height.`,
        hint: 'Remove width and height, or set size to "Custom".',
      },
    ];
  return checkRoom(page);
}

function checkRoom(page: PageSetup): Problem[] {
  try {
    layOutPaper(page);
    return [];
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return [
      { path: "$.page.margin", code: "wrong_value", message: error.message },
    ];
  }
}
