import {
  type FileTable,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import { findFittingLists, toKey } from "./row-groups.js";
import type { RowSpool } from "./row-spool.js";
import {
  type Collection,
  listLists,
  listNames,
  simplify,
  TablePlan,
} from "./table-plan.js";

/** A second sheet whose rows may be the items of a list, as `TableJoin` has it. */
export interface JoinProposal {
  sheet: string;
  key: string;
  foreignKey: string;
  as: string;
}

/** The rows of a sheet, and which columns of it are which fields of the documents. */
interface DocumentSheet {
  spool: RowSpool;
  plan: TablePlan;
}

interface Sheet {
  spool: RowSpool;
  table: FileTable;
}

/** Each is read as a whole. */
const maxSheets = 5;
const maxProposals = 10;
/** More columns of keys in so many rows would take too much memory; keys stand on the left. */
const maxKeyColumns = 8;
const rowsToLimit = 5000;

/**
 * Looks for sheets whose columns fit a list of the template, and for the columns that name a row of the documents' sheet in
 * most of their rows. @param join the sheet that is a list already. @returns all that is possible, and a problem for each
 * sheet that nobody has answered.
 */
export async function proposeJoins(
  documents: DocumentSheet,
  open: (sheet: string) => Promise<Sheet>,
  schema: Collection[],
  root: Collection | undefined,
  join?: Pick<JoinProposal, "as"> & { sheet?: string | undefined },
): Promise<{ proposals: JoinProposal[]; problems: Problem[] }> {
  const { table } = documents.plan;
  const proposals: JoinProposal[] = [];
  const problems: Problem[] = [];
  const names = table.sheets.filter(
    (name) => name !== table.sheet && name !== join?.sheet,
  );
  if (listLists(schema, root).size === 0) return { proposals, problems };
  let keys: KeyColumn[] | null = null;
  for (const sheet of names.slice(0, maxSheets)) {
    const second = await openReadable(open, sheet);
    if (!second || second.table.rowCount === 0) continue;
    const lists = findFittingLists(
      second.table,
      documents.plan,
      schema,
      root,
    ).filter(({ as }) => as !== join?.as);
    const [list] = lists;
    if (!list) continue;
    keys ??= await readKeyColumns(documents);
    const pairs = await findKeyPairs(keys, second, list.names);
    const ofSheet = pairs
      .filter(({ foreignKey }) =>
        list.names.some((name) => name !== foreignKey),
      )
      .flatMap((pair) => lists.map(({ as }) => ({ sheet, ...pair, as })))
      .slice(0, maxProposals);
    if (ofSheet.length === 0) continue;
    proposals.push(...ofSheet);
    const choices = ofSheet
      .map((choice) => JSON.stringify(choice))
      .join(" or ");
    problems.push({
      path: `field "${list.as}"`,
      code: "join",
      message: `${list.names.length === 1 ? "The column" : "The columns"} ${listNames(list.names)} of the sheet "${sheet}" ${list.names.length === 1 ? "fits" : "fit"} the list "${list.as}", which would be empty in every document.`,
      hint: `${join ? "Send" : `Send "join": ${choices}, or`} "mapping" for documents without the rows of this sheet.`,
    });
  }
  // One request takes one of them.
  if (join || problems.length > 1)
    for (const problem of problems)
      problem.hint = `${problem.hint} Only one sheet can be joined: for documents with several lists, send a JSON file.`;
  return { proposals, problems };
}

/** @returns null for a sheet without a table. */
async function openReadable(
  open: (sheet: string) => Promise<Sheet>,
  sheet: string,
): Promise<Sheet | null> {
  try {
    return await open(sheet);
  } catch (error) {
    if (error instanceof PlatenError && error.code !== "busy") return null;
    throw error;
  }
}

/** A column of the documents' sheet whose values name their rows. */
interface KeyColumn {
  name: string;
  /** As values and as the sheet shows them, in small letters. */
  keys: Set<string>;
  /** Different values. */
  distinct: number;
}

/** Columns with a value of its own in each row, or else in most: an explicit join names the rows that are not so. */
async function readKeyColumns({
  spool,
  plan,
}: DocumentSheet): Promise<KeyColumn[]> {
  let columns = plan.table.columns.map(({ name }, index) => ({
    name,
    index,
    keys: new Set<string>(),
    distinct: 0,
  }));
  let count = 0;
  const limit = () => {
    const most = columns.filter(({ distinct }) => distinct * 2 > count);
    columns = [
      ...most.filter(({ distinct }) => distinct === count),
      ...most.filter(({ distinct }) => distinct < count),
    ];
  };
  for await (const { cells } of spool.rows()) {
    for (const column of columns) {
      const keys = listKeys(plan, cells[column.index]);
      if (keys[0] && !column.keys.has(keys[0])) column.distinct += 1;
      for (const key of keys) column.keys.add(key);
    }
    count += 1;
    if (count === rowsToLimit) {
      limit();
      columns.splice(maxKeyColumns);
    }
  }
  limit();
  const unique = columns.filter(({ distinct }) => distinct === count);
  return unique.length > 0 ? unique : columns;
}

/** What a cell may be called by in another sheet: its value first, and what it shows. */
function listKeys(plan: TablePlan, cell: unknown): string[] {
  const keys = [toKey(plan.getValue(cell)), toKey(plan.getText(cell))];
  return [...new Set(keys.map((key) => key.toLowerCase()))].filter(Boolean);
}

type JoinKeys = Pick<JoinProposal, "key" | "foreignKey">;

/** Pairs with few matches are left out after each so many rows. */
const rowsToCompare = 1000;
/** Fewer different values in so many rows are no keys, such as those of a state. */
const minDistinctKeys = 3;
const rowsWithKeys = 10;

/**
 * The pairs of columns where at least half of the values of the second are those of the first; those with equal names
 * alone, if there are any. A column of items is a key, such as a quantity beside numbers of invoices, only without others.
 */
async function findKeyPairs(
  keyColumns: readonly KeyColumn[],
  { spool, table }: Sheet,
  itemColumns: readonly string[],
): Promise<JoinKeys[]> {
  const plan = new TablePlan(table, [], undefined, {
    without: null,
    mayBeEmpty: true,
  });
  let columns = table.columns.flatMap(({ name, booleans }, index) =>
    booleans === null
      ? [
          {
            index,
            filled: 0,
            first: new Set<string>(),
            pairs: keyColumns.map(({ name: key, keys }) => ({
              key,
              foreignKey: name,
              keys,
              matches: 0,
            })),
          },
        ]
      : [],
  );
  const limit = () => {
    columns = columns
      .map((column) => ({
        ...column,
        pairs: column.pairs.filter(
          ({ matches }) => matches > 0 && matches * 2 >= column.filled,
        ),
      }))
      .filter(({ pairs }) => pairs.length > 0);
  };
  let count = 0;
  for await (const { cells } of spool.rows()) {
    for (const column of columns) {
      const keys = listKeys(plan, cells[column.index]);
      if (keys[0] === undefined) continue;
      column.filled += 1;
      if (column.first.size < minDistinctKeys) column.first.add(keys[0]);
      for (const pair of column.pairs)
        if (keys.some((key) => pair.keys.has(key))) pair.matches += 1;
    }
    count += 1;
    if (count % rowsToCompare === 0) limit();
  }
  limit();
  const pairs = columns.flatMap((column) =>
    column.pairs.map(({ key, foreignKey }) => ({
      key,
      foreignKey,
      isNamed: simplify(key) === simplify(foreignKey),
      isRepeated:
        column.first.size < minDistinctKeys && column.filled >= rowsWithKeys,
    })),
  );
  const named = pairs.filter(({ isNamed }) => isNamed);
  const others = pairs.filter(({ isRepeated }) => !isRepeated);
  const safe = others.filter(
    ({ foreignKey }) => !itemColumns.includes(foreignKey),
  );
  const [best = []] = [named, safe, others].filter(({ length }) => length > 0);
  return best.map(({ key, foreignKey }) => ({ key, foreignKey }));
}
