import {
  type FieldInfo,
  PlatenError,
  type Problem,
  type Row,
} from "../../plugin-api/index.js";
import { convertCell } from "./convert-cell.js";
import type { Destination } from "./destination.js";
import {
  type FetchPlan,
  GROUPED_RECORDS,
  type PlannedCollection,
  type PlannedLink,
  type PlannedValue,
} from "./fetch-plan.js";
import { DocumentKeys, toComparable } from "./row-groups.js";

/** More ids do not belong into the metadata of a document and its events. */
const maxRecords = 5000;
const maxProblems = 51;

/**
 * The ids of the records of each document, in the order in which the keys first occur. Only the field of the key is read.
 * @throws PlatenError `invalid_request` that names up to 51 records without one key.
 */
export async function groupRecords(
  { connection: { platform }, scope, table }: Destination,
  keyField: FieldInfo,
  recordIds: readonly string[],
): Promise<string[][]> {
  const fields = [keyField.id];
  const { rows, missing } = await platform.fetchRows(scope, recordIds, fields);
  const problems: Problem[] = [];
  const add = (path: string, message: string) =>
    problems.push({ path, code: "group", message });
  for (const id of missing)
    add(`record "${id}"`, `The table "${table.name}" has no such record.`);
  const keys = new DocumentKeys<string>((id) => `the record "${id}"`, "record");
  const documents = new Map<string, string[]>();
  for (const row of rows) {
    const path = `record "${row.id}", field "${keyField.name}"`;
    const values = [row.links[keyField.id] ?? row.fields[keyField.id]]
      .flat(Infinity)
      .filter((value) => !isBlank(value));
    const result =
      values.length > 1
        ? { fault: "has several values, so that it names several documents" }
        : keys.read(
            convertCell(values[0], { type: "String", kind: keyField.kind }),
            row.id,
          );
    if ("fault" in result) {
      add(path, `${result.fault}.`);
      continue;
    }
    const ids = documents.get(result.key);
    if (!ids) documents.set(result.key, [row.id]);
    else if (ids.push(row.id) === maxRecords + 1)
      add(
        path,
        `${JSON.stringify(result.key)} is in more than ${maxRecords} records, which is the most that a document can have.`,
      );
  }
  if (problems.length > 0)
    throw new PlatenError("invalid_request", "The records cannot be grouped.", {
      problems: problems.slice(0, maxProblems),
    });
  return [...documents.values()];
}

/**
 * The row of a document: the records' common values, and a list of the records that have values for it. The record
 * itself where none are grouped. @returns an error where the records differ in a field of the document.
 */
export function mergeRecords(
  { collections, tables }: FetchPlan,
  rows: readonly [Row, ...Row[]],
): Row | PlatenError {
  const [root] = collections;
  const [first] = rows;
  const list = root?.links.find(({ fieldId }) => fieldId === GROUPED_RECORDS);
  if (!root || !list) return first;
  const table = tables.find(({ id }) => id === root.tableId);
  const problems: Problem[] = [];
  const findCommon = <T>(
    fieldId: string,
    read: (row: Row) => T,
    show: (value: T) => unknown,
  ): T => {
    const filled = rows.filter((row) => !isBlank(read(row)));
    const [model = first] = filled;
    const toValue = (row: Row) => show(read(row));
    const text = toComparable(toValue(model));
    const other = filled.find((row) => toComparable(toValue(row)) !== text);
    const name = table?.fields.find(({ id }) => id === fieldId)?.name;
    if (other)
      problems.push({
        path: `record "${other.id}", field "${name ?? fieldId}"`,
        code: "group",
        message: `${JSON.stringify(toValue(other))} differs from ${JSON.stringify(toValue(model))} in the record "${model.id}". Correct it, or move the field to the list "${list.name}" in the template's schema.`,
      });
    return read(model);
  };
  const merged: Row = { id: first.id, fields: {}, links: {} };
  for (const { fieldId, ...value } of root.values)
    if (fieldId !== null)
      merged.fields[fieldId] = findCommon(
        fieldId,
        (row) => row.fields[fieldId],
        // Platforms sign the address of a file anew each time.
        (cell) => value.kind === "attachment" || convertCell(cell, value),
      );
  for (const { fieldId } of root.links)
    if (fieldId !== GROUPED_RECORDS)
      merged.links[fieldId] = findCommon(
        fieldId,
        (row) => row.links[fieldId] ?? [],
        (ids) => ids,
      );
  const items = collections.find(({ id }) => id === list.target);
  merged.links[GROUPED_RECORDS] = rows
    .filter((row) => !items || hasItem(row, items, root))
    .map(({ id }) => id);
  return problems.length === 0
    ? merged
    : new PlatenError(
        "invalid_request",
        "The records of this document differ in its fields.",
        { problems },
      );
}

/** Whether a record has a value for the list; one without is about the document alone. */
function hasItem(
  { fields, links }: Row,
  items: PlannedCollection,
  root: PlannedCollection,
): boolean {
  const ofDocument = new Set(
    [...root.values, ...root.links].map(({ fieldId }) => fieldId),
  );
  const parts = [...items.values, ...items.links].flatMap((part) =>
    part.fieldId === null || ofDocument.has(part.fieldId)
      ? []
      : [links[part.fieldId] ?? readBox(fields[part.fieldId], part)],
  );
  return parts.length === 0 || parts.some((part) => !isBlank(part));
}

/** A box that is not checked is no value. */
function readBox(value: unknown, part: PlannedValue | PlannedLink): unknown {
  const isBox = "isEmptyNo" in part && part.isEmptyNo;
  return isBox && value === false ? null : value;
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlank);
  return value == null || (typeof value === "string" && value.trim() === "");
}
