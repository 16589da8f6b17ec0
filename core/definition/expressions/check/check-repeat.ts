import type { Repeat } from "../../schema/data-schema.js";
import { RESERVED_WORDS } from "../parse/parse-expression.js";
import {
  ANY,
  groupType,
  UNDECLARED,
  type Shape,
  type ScopeTypes,
} from "../scope-types.js";
import type { BindingReport } from "../types.js";
import { checkPathSource } from "./check-expression.js";
import { checkRules } from "./check-logic.js";

const IDENTIFIER = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;
const RESERVED: readonly string[] = [
  "root",
  "__proto__",
  "constructor",
  "prototype",
  ...RESERVED_WORDS,
];

/** Reports every problem of a collection and returns the types of its elements or groups. */
export function checkRepeat(
  repeat: Repeat,
  types: ScopeTypes,
  report: BindingReport,
): ScopeTypes {
  const { collectionId: id, path, filter, sort = [], groupBy } = repeat;
  checkCollectionId(id, report.at(".collectionId"));
  const shape = checkPathSource(path, types, report.at(".path"), "scope");
  if (shape?.kind === "scalar") notACollection(shape, path, report.at(".path"));
  const record = shape && "record" in shape ? shape.record : UNDECLARED;
  const inside = { id, parent: types, record, isGrouped: false };
  if (filter) checkRules(filter, inside, report.at(".filter"), "item");
  for (const [index, { field }] of sort.entries()) {
    checkPathSource(field, inside, report.at(`.sort[${index}].field`), "item");
  }
  if (!groupBy) return inside;
  const at = report.at(".groupBy.field");
  const key = checkPathSource(groupBy.field, inside, at, "item") ?? ANY;
  return { ...inside, record: groupType(record, key), isGrouped: true };
}

function checkCollectionId(id: string, report: BindingReport): void {
  const code = "invalid_collection_id";
  if (RESERVED.includes(id)) {
    const message = `"${id}" is a reserved word.`;
    report.error({
      code,
      message,
      hint: `Write ${id}Item, or use another name.`,
    });
  } else if (!IDENTIFIER.test(id)) {
    const message = `"${id}" is not a valid collectionId.`;
    const hint =
      "Use letters, digits and underscores, and start with a letter.";
    report.error({ code, message, hint });
  }
}

function notACollection(
  { type }: Extract<Shape, { kind: "scalar" }>,
  path: string,
  report: BindingReport,
): void {
  if (type === "String") return;
  report.warning({
    code: "not_a_collection",
    message: `${path} is declared as ${type}, which is not a collection. Nothing is repeated.`,
    hint: "Declare the field as a OneToManyLink, or repeat over another path.",
    expression: path,
    column: 1,
  });
}
