import { z } from "zod";
import {
  Deadline,
  PlatenError,
  type RowSelection,
  type TableInfo,
  type ViewInfo,
} from "../../plugin-api/index.js";
import type { LinkRecords } from "../../storage/database/index.js";
import type { Destination } from "./destination.js";
import { suggestName } from "./fetch-plan.js";

/** Which records of a table a batch takes, other than by their ids. */
export type RecordSelector =
  | {
      /** A view, by id or name. */
      viewId: string;
    }
  /** As the platform's plugin defines it. */
  | { filter: unknown }
  /** All whose attachment field is empty. */
  | { emptyAttachment: true };

/** A selector as a request has it. */
const selectors = {
  viewId: z.string().min(1).optional().meta({
    description:
      "All records of this view, by ID or name, in its order. On SQL, a view that has the table's key column.",
    example: "viwA1b2C3d4E5f6G7",
  }),
  filter: z
    .unknown()
    .optional()
    .meta({
      description:
        "All records that match an object of conditions by column, or by field; on Airtable also a formula, on NocoDB a `where` text, on Directus its own filter.",
      example: { Status: "Paid" },
    }),
  emptyAttachment: z.literal(true).optional().meta({
    description:
      "All records whose `attachmentField` is empty, without those that a running batch is about to fill.",
  }),
};

export const recordsSchema = z
  .strictObject(selectors)
  .refine(
    (value) =>
      Object.values(value).filter((option) => option !== undefined).length ===
      1,
    "must have exactly one of viewId, filter and emptyAttachment",
  )
  .transform(({ viewId, filter, emptyAttachment }): RecordSelector => {
    if (viewId !== undefined) return { viewId };
    return emptyAttachment ? { emptyAttachment } : { filter };
  })
  .meta({
    description:
      "Takes the records of a view, those that match a filter, or those without a file, in place of `recordIds`. Exactly one of the three.",
    minProperties: 1,
    maxProperties: 1,
    example: { emptyAttachment: true },
  });

export const maxIdLength = 255;

/** Airtable lists 400 records per second, and so 100,000 in 4 minutes. */
export const listTimeoutMs = 10 * 60_000;
/** Somebody waits for the first records. Airtable lists 1,000 in 3 s. */
export const listFirstTimeoutMs = 20_000;

/**
 * The ids of the selected records, in the order of the view. @throws PlatenError `conflict` when there are none;
 * `too_large` when they are more than a batch may have; `invalid_request` for a selection that the platform does not have.
 */
export async function listSelected(
  destination: Destination,
  selector: RecordSelector,
  maxItems: number,
): Promise<string[]> {
  const deadline = Deadline.after(listTimeoutMs);
  const recordIds: string[] = [];
  for await (const ids of listPages(destination, selector, deadline)) {
    recordIds.push(...ids);
    if (recordIds.length > maxItems)
      throw new PlatenError(
        "too_large",
        `The selection has more than ${maxItems} records, which is the most that a batch can have. Select fewer, or raise PLATEN_MAX_BATCH_ITEMS.`,
      );
  }
  if (recordIds.length > 0) return recordIds;
  throw createNoneSelectedError(selector);
}

/**
 * The ids of the selected records page by page. @throws PlatenError `invalid_request` for a selection that the platform
 * does not have.
 */
export async function* listPages(
  destination: Destination,
  selector: RecordSelector,
  deadline: Deadline,
): AsyncGenerator<string[]> {
  const { connection, scope } = destination;
  const selection = toSelection(destination, selector);
  for await (const ids of connection.platform.listRows(
    scope,
    selection,
    deadline,
  )) {
    const long = ids.find((id) => id.length > maxIdLength);
    if (long !== undefined)
      throw createSelectionError(
        "record",
        "",
        `selects the record "${long.slice(0, 40)}…", whose id has more than ${maxIdLength} characters.`,
      );
    yield ids;
  }
}

/**
 * The selector with the id and the name of its view. Lists a first page, which may be empty.
 * @throws PlatenError `invalid_request` for a selection that the platform does not have.
 */
export async function checkSelector(
  destination: Destination,
  selector: RecordSelector,
): Promise<LinkRecords> {
  const deadline = Deadline.after(listFirstTimeoutMs);
  await listPages(destination, selector, deadline).next();
  if (!("viewId" in selector)) return selector;
  const { connection, table } = destination;
  const { id, name } = findView(
    connection.platform.title,
    table,
    selector.viewId,
  );
  return { viewId: id, viewName: name };
}

/** As a batch takes it. */
export function toSelector(records: LinkRecords): RecordSelector {
  return "viewId" in records ? { viewId: records.viewId } : records;
}

/** Whether a batch was refused because no record was left for it. */
export function isNoneSelectedError(error: unknown): error is PlatenError {
  return (
    error instanceof PlatenError &&
    error.problems.some(({ code }) => code === "none_selected")
  );
}

export function createNoneSelectedError(selector: RecordSelector): PlatenError {
  return createNoneError(
    "emptyAttachment" in selector
      ? "No record has an empty attachment field."
      : "No record is selected.",
  );
}

/** For a selection whose records are all in other batches. */
export function createNoneLeftError(count: number): PlatenError {
  return createNoneError(
    count === 1
      ? "The only record with an empty attachment field is in a batch that is still running."
      : `All ${count} records with an empty attachment field are in batches that are still running.`,
  );
}

function createNoneError(message: string): PlatenError {
  return new PlatenError("conflict", `${message} Nothing was created.`, {
    problems: [{ path: "$.records", code: "none_selected", message }],
  });
}

function toSelection(
  { connection, table, field }: Destination,
  selector: RecordSelector,
): RowSelection {
  if ("viewId" in selector) {
    const { viewId } = selector;
    return { viewId: findView(connection.platform.title, table, viewId).id };
  }
  if ("filter" in selector) return selector;
  if (field) return { emptyFieldId: field.id };
  throw createSelectionError(
    "field",
    ".emptyAttachment",
    "needs attachmentField, the field that is empty.",
  );
}

/** Finds a view by id, then by name. */
function findView(
  title: string,
  { name, views }: TableInfo,
  wanted: string,
): ViewInfo {
  const view =
    views?.find(({ id }) => id === wanted) ??
    views?.find((candidate) => candidate.name === wanted);
  if (view) return view;
  const names = views?.map((candidate) => candidate.name) ?? [];
  throw createSelectionError(
    "view",
    ".viewId",
    views
      ? `The table "${name}" has no view "${wanted}" whose records can be listed. ${suggestName(wanted, names)}`
      : `${title} has no views whose records can be listed. Use filter, or send recordIds.`,
  );
}

function createSelectionError(code: string, path: string, message: string) {
  return new PlatenError("invalid_request", "The records cannot be selected.", {
    problems: [{ path: `$.records${path}`, code, message }],
  });
}
