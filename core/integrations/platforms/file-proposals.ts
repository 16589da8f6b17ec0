import {
  type FileTable,
  PlatenError,
  simplifyName,
  type TableColumn,
} from "../../plugin-api/index.js";
import {
  isBlank,
  isEqual,
  readKey,
  readKeys,
  toKey,
  toSpelling,
} from "./document-keys.js";
import { RowGroups } from "./list-items.js";
import type { RowSpool } from "./row-spool.js";
import {
  type Collection,
  listLists,
  listNames,
  listSheets,
  type RowGrouping,
  TablePlan,
} from "./table-plan.js";
import type { TableProblem } from "./views.js";

// What the tables of a file seem to be, when nobody has said it: rows that are one document, and sheets with their items.

/** The documents' table, and what they are made of. */
interface DocumentTable {
  spool: RowSpool;
  plan: TablePlan;
  schema: Collection[];
  root: Collection | undefined;
}

/** What the rows seem to be: several to a document. */
export interface GroupProposal extends RowGrouping {
  documentCount: number;
}

/** Rows that are compared to find the key. */
const comparedRows = 5000;

type OpenSheet = (sheet: string) => Promise<Sheet>;

/**
 * Looks for columns that fit a list of the template and no field of the document, and for the column that names the
 * document of each row; and for another sheet that has the documents. @returns the problem that nobody has answered; null
 * for rows that are a document each.
 */
export async function proposeGroup(
  documents: DocumentTable,
  open: OpenSheet,
): Promise<{ proposal: GroupProposal | null; problem: TableProblem } | null> {
  const { spool, plan } = documents;
  const used = Object.entries(plan.mapping).flatMap(([name, path]) =>
    path === null ? [] : [name],
  );
  const lists = findFittingLists(plan.table, documents, new Set(used));
  const [list] = lists;
  if (!list) return null;
  const itemColumns = [...new Set(lists.flatMap(({ names }) => names))];
  const keys = await findKeyColumns(spool, plan, itemColumns);
  const [keyColumn] = keys;
  const [by, ...others] = keys.map(
    (index) => plan.table.columns[index]?.name ?? "",
  );
  const paths = lists.map(({ as }) => as);
  const fields = paths.length > 1 && { fields: paths };
  const values = { field: list.as, ...fields, columns: itemColumns };
  const problem: TableProblem = {
    path: `field "${list.as}"`,
    code: "list_in_rows",
    message: describeFit(lists),
    hint: 'Give the column that names the document of each row in "group", or say in "mapping" which column is which field.',
    values,
  };
  let proposal: GroupProposal | null = null;
  if (keyColumn !== undefined && by !== undefined) {
    const groups = new RowGroups(spool, plan, plan, {
      as: list.as,
      keyColumn,
      joinColumns: [],
    });
    for await (const row of spool.rows()) groups.add(row);
    const { rowCount } = plan.table;
    const documentCount = groups.count;
    proposal = { by, as: list.as, documentCount };
    problem.values = { ...values, column: by, count: rowCount, documentCount };
    const otherKeys =
      others.length > 0 ? ` (or for each ${listNames(others)})` : "";
    problem.message = `These ${rowCount} rows look like ${documentCount} ${documentCount === 1 ? "document" : "documents"}, one for each "${by}"${otherKeys}. ${problem.message}`;
    const choices = [by, ...others].flatMap((name) =>
      paths.map((as) => JSON.stringify({ by: name, as })),
    );
    problem.hint = `Send "group": ${choices.join(" or ")}, or "mapping" for a document for each row.`;
  }
  const other = await findDocumentSheet(documents, list, open, by);
  if (!other) return { proposal, problem };
  const { sheet, columns, join } = other;
  return {
    proposal,
    problem: {
      path: `sheet "${sheet}"`,
      code: "documents_in_sheet",
      message: `The sheet "${sheet}" looks like the documents that these rows belong to: it has the columns ${listNames(columns)}.`,
      hint: `Send "sheet": ${JSON.stringify(sheet)} and "join": ${JSON.stringify(join)}. Without that sheet: ${problem.hint}`,
      values: { sheet, ...fields, columns },
    },
  };
}

/** A list of the template, and the names of the columns that fit it. */
interface FittingList {
  as: string;
  names: string[];
}

/** The lists that the most columns of a table fit. @param except names of columns that are fields of documents. */
function findFittingLists(
  table: FileTable,
  { plan, schema, root }: DocumentTable,
  except: ReadonlySet<string> = new Set(),
): FittingList[] {
  const taken = new Set(Object.values(plan.mapping));
  const lists = [...listLists(schema, root)]
    .filter(([path]) => !taken.has(path))
    .map(([as, collection]) => {
      const items = new TablePlan(table, schema, collection, {
        without: null,
        except,
        mayBeEmpty: true,
      });
      const names = items.columns.flatMap(({ field, index }) =>
        field ? [table.columns[index]?.name ?? ""] : [],
      );
      return { as, names };
    });
  const most = Math.max(1, ...lists.map(({ names }) => names.length));
  return lists.filter(({ names }) => names.length === most);
}

/** @param where the table of the columns, unless it is that of the documents. */
function describeFit(lists: readonly FittingList[], where = ""): string {
  const names = [...new Set(lists.flatMap((list) => list.names))];
  const [columns, fit] =
    names.length === 1 ? ["The column", "fits"] : ["The columns", "fit"];
  const paths = lists.map(({ as }) => `"${as}"`).join(" or ");
  return `${columns} ${listNames(names)}${where} ${fit} the list ${paths}, which would be empty in every document.`;
}

/** The names of columns with numbers of documents: `Invoice No`, `Belegnr.`, `orderId`. */
const numberName =
  /nummer|number|n[uú]m[eé]ro|belegfeld|nr(?!\p{L})|(?<!\p{L})(?:no|num|ref|id|n[°º])(?!\p{L})|refer[eé]n[cz]|référence/iu;

function hasDocumentNumbers({ name, type, values }: TableColumn): boolean {
  const words = name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
  return (
    type !== "date" &&
    numberName.test(words) &&
    values.every((value) => !/\s/.test(String(value)))
  );
}

const isName = ({ type }: TableColumn) => type !== "date" && type !== "boolean";

const maxKeys = 3;

/**
 * The columns whose equal values stand beside equal values of the document, the likeliest first, and others only if they
 * make another number of documents. Of those that repeat, one with numbers of documents comes first, although a single value
 * beside it is wrong. Without such a column that repeats, the first that the document has: one that repeats may be the key
 * beside wrong values. Most of its cells have a value, if there is such a column: an explicit `group` names the rows without
 * a key.
 */
async function findKeyColumns(
  spool: RowSpool,
  plan: TablePlan,
  itemColumns: readonly string[],
): Promise<number[]> {
  const compared = plan.columns.map(({ index }) => index);
  const candidates = plan.table.columns.flatMap((column, index) =>
    column.type === "empty" || itemColumns.includes(column.name)
      ? []
      : {
          column,
          index,
          firsts: new Map<string, readonly unknown[]>(),
          filled: 0,
          /** Keys with different values of a document. */
          conflicts: new Set<string>(),
        },
  );
  let count = 0;
  for await (const { cells } of spool.rows()) {
    for (const candidate of candidates) {
      const { index, firsts, conflicts } = candidate;
      const key = toKey(readKey(plan, cells[index], index));
      if (key === "") continue;
      candidate.filled += 1;
      const first = firsts.get(key);
      if (!first) firsts.set(key, cells);
      else if (
        !compared.every(
          (column) =>
            isBlank(cells[column]) ||
            isEqual(plan, column, first[column], cells[column]),
        )
      )
        conflicts.add(key);
    }
    count += 1;
    if (count === comparedRows) break;
  }
  const repeated = candidates.filter(
    ({ firsts, filled }) => firsts.size < filled,
  );
  const agreeing = repeated.filter(({ conflicts }) => conflicts.size === 0);
  const whole = agreeing.filter(({ filled }) => filled === count);
  const names = whole.filter(({ column }) => isName(column));
  const numbers = repeated.filter(
    ({ column, filled }) => filled === count && hasDocumentNumbers(column),
  );
  const [almost] = numbers
    .filter(({ conflicts }) => conflicts.size === 1)
    .toSorted((column, other) => other.firsts.size - column.firsts.size);
  const hasNumbers = names.some(({ column }) =>
    column.values.every((value) => /\d/.test(String(value))),
  );
  const likely = candidates.filter(
    ({ index, filled, column, conflicts }) =>
      filled > 0 &&
      compared.includes(index) &&
      (conflicts.size === 0 || isName(column)),
  );
  const best =
    numbers.find(({ conflicts }) => conflicts.size === 0) ??
    (hasNumbers ? undefined : almost) ??
    whole[0] ??
    agreeing.find(({ index }) => compared.includes(index)) ??
    likely.find(({ filled }) => filled * 2 >= count) ??
    likely[0];
  if (!best) return [];
  const others = names.filter(({ firsts }) => firsts.size !== best.firsts.size);
  return [best, ...others].slice(0, maxKeys).map(({ index }) => index);
}

/** A sheet whose rows are documents, and how the lines of another one are joined to them. */
interface DocumentSheet {
  sheet: string;
  /** Those that the lines lack. */
  columns: string[];
  join: JoinProposal;
}

/**
 * The sheet with the most fields of documents that a sheet of lines lacks, and a row for each of its keys.
 * @param by the column of their keys.
 */
async function findDocumentSheet(
  lines: DocumentTable,
  list: FittingList,
  open: OpenSheet,
  by: string | undefined,
): Promise<DocumentSheet | null> {
  const { spool, plan, schema, root } = lines;
  const { table } = plan;
  const used = new Set(Object.values(plan.mapping));
  let best: DocumentSheet | null = null;
  const sheets = listSheets(table).filter((name) => name !== table.sheet);
  for (const sheet of sheets.slice(0, maxSheets)) {
    const other = await openReadable(open, sheet);
    if (!other || other.table.rowCount === 0) continue;
    const otherPlan = new TablePlan(other.table, schema, root, {
      without: null,
      mayBeEmpty: true,
    });
    const columns = Object.entries(otherPlan.mapping).flatMap(([name, path]) =>
      path === null || used.has(path) ? [] : [name],
    );
    if (columns.length <= (best?.columns.length ?? 0)) continue;
    const documents = { ...lines, spool: other.spool, plan: otherPlan };
    const keys = await readKeyColumns(documents);
    const pairs = await findKeyPairs(keys, { spool, table }, list.names);
    const pair = pairs.find(
      ({ foreignKey }) => plan.columns.length === 0 || foreignKey === by,
    );
    if (pair)
      best = {
        sheet,
        columns,
        join: { sheet: table.sheet ?? "", ...pair, as: list.as },
      };
  }
  return best;
}

/** Another sheet whose rows may be the items of a list, as `TableJoin` has it. */
export interface JoinProposal {
  sheet: string;
  key: string;
  foreignKey: string;
  as: string;
}

interface Sheet {
  spool: RowSpool;
  table: FileTable;
}

/** What the request says already. */
interface AnsweredJoins {
  /** The tables that are joined. */
  joined: readonly TablePlan[];
  /** The lists of these, and that of the rows of documents. */
  lists: readonly string[];
  /** The column of the documents' keys where rows are grouped. */
  keyColumn?: number | undefined;
}

/** Each is read as a whole. */
const maxSheets = 5;
const maxProposals = 10;
/** More columns of keys in so many rows would take too much memory; keys stand on the left. */
const maxKeyColumns = 8;
const rowsToLimit = 5000;

/**
 * Looks for sheets, hidden ones included, whose columns fit a list of the template, and for the columns that name a document
 * in most of their rows. @returns all that is possible, and a problem for each sheet that nobody has answered.
 */
export async function proposeJoins(
  documents: DocumentTable,
  open: OpenSheet,
  answered: AnsweredJoins,
): Promise<{ proposals: JoinProposal[]; problems: TableProblem[] }> {
  const { table } = documents.plan;
  const proposals: JoinProposal[] = [];
  const problems: TableProblem[] = [];
  const lists = listLists(documents.schema, documents.root);
  for (const as of answered.lists) lists.delete(as);
  if (lists.size === 0) return { proposals, problems };
  const sheets = new Set(listSheets(table));
  for (const { table: used } of [documents.plan, ...answered.joined])
    sheets.delete(used.sheet ?? "");
  let keys: KeyColumn[] | null = null;
  for (const sheet of [...sheets].slice(0, maxSheets)) {
    const other = await openReadable(open, sheet);
    if (!other || other.table.rowCount === 0) continue;
    const fitting = findFittingLists(other.table, documents).filter(({ as }) =>
      lists.has(as),
    );
    const [list] = fitting;
    if (!list) continue;
    keys ??= await readKeyColumns(documents, answered.keyColumn);
    const pairs = await findKeyPairs(keys, other, list.names);
    const choices = pairs
      .filter(({ foreignKey }) =>
        list.names.some((name) => name !== foreignKey),
      )
      .flatMap((pair) => fitting.map(({ as }) => ({ sheet, ...pair, as })))
      .slice(0, maxProposals);
    if (choices.length === 0) continue;
    proposals.push(...choices);
    const isHidden = table.hiddenSheets.includes(sheet);
    const where = ` of the ${isHidden ? "hidden " : ""}sheet "${sheet}"`;
    problems.push({
      path: `field "${list.as}"`,
      code: "list_in_sheet",
      message: describeFit(fitting, where),
      hint: choices.map((choice) => JSON.stringify(choice)).join(" or "),
      values: { sheet, field: list.as, columns: list.names },
    });
  }
  const isList = answered.joined.length > 0 || problems.length > 1;
  const [start, end] = isList
    ? ["Add", ' to the list "join", or send']
    : ['Send "join":', ", or"];
  for (const problem of problems)
    problem.hint = `${start} ${problem.hint}${end} "mapping" for documents without the rows of this sheet.`;
  return { proposals, problems };
}

/** @returns null for a sheet without a table. */
async function openReadable(
  open: OpenSheet,
  sheet: string,
): Promise<Sheet | null> {
  try {
    return await open(sheet);
  } catch (error) {
    if (error instanceof PlatenError && error.code !== "busy") return null;
    throw error;
  }
}

/** A column of the documents' table whose values name the documents. */
interface KeyColumn {
  name: string;
  /** As values and as the sheet shows them. */
  keys: Set<string>;
  /** Different values. */
  distinct: number;
  /** Whether it is looked for under other names: each row has a value of its own, or no column is so. */
  isLikely: boolean;
}

/** Columns with a value of its own in most rows: an explicit join names the rows that are not so. */
async function readKeyColumns(
  { spool, plan }: DocumentTable,
  keyColumn?: number,
): Promise<KeyColumn[]> {
  let columns = plan.table.columns
    .map(({ name }, index) => ({
      name,
      index,
      keys: new Set<string>(),
      distinct: 0,
      isLikely: true,
    }))
    .filter(({ index }) => index === (keyColumn ?? index));
  let count = 0;
  const limit = () => {
    columns = columns
      .filter(
        ({ index, distinct }) => index === keyColumn || distinct * 2 > count,
      )
      .toSorted(
        (column, other) =>
          Number(other.distinct === count) - Number(column.distinct === count),
      );
  };
  for await (const { cells } of spool.rows()) {
    for (const column of columns) {
      const keys = listKeys(plan, cells[column.index], column.index);
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
  const hasUnique = columns.some(({ distinct }) => distinct === count);
  for (const column of columns)
    column.isLikely = !hasUnique || column.distinct === count;
  return columns;
}

/** What a cell may be called by in another sheet. */
function listKeys(plan: TablePlan, cell: unknown, index: number): string[] {
  return readKeys(plan, cell, index, null).filter(Boolean).map(toSpelling);
}

type JoinKeys = Pick<JoinProposal, "key" | "foreignKey">;

/** Pairs with few matches are left out after each so many rows. */
const rowsToCompare = 1000;
/** Fewer different values in so many rows are no keys, such as those of a state. */
const minDistinctKeys = 3;
const rowsWithKeys = 10;

/**
 * The pairs of columns where at least half of the values of the second are those of the first; those with equal names
 * alone, if there are any. A column of items is a key, such as a quantity beside numbers of invoices, only without others,
 * and without a column that is named as a key is: a join by it names the rows that do not fit.
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
  let columns = table.columns.flatMap(({ name, type }, index) =>
    type === "boolean"
      ? []
      : {
          index,
          name,
          filled: 0,
          first: new Set<string>(),
          pairs: keyColumns
            .map((key) => ({
              key,
              matches: 0,
              isNamed: simplifyName(key.name) === simplifyName(name),
            }))
            .filter(({ isNamed, key }) => isNamed || key.isLikely),
        },
  );
  const limit = () => {
    for (const column of columns)
      column.pairs = column.pairs.filter(
        ({ matches, isNamed }) =>
          isNamed || (matches > 0 && matches * 2 >= column.filled),
      );
    columns = columns.filter(({ pairs }) => pairs.length > 0);
  };
  let count = 0;
  for await (const { cells } of spool.rows()) {
    for (const column of columns) {
      const keys = listKeys(plan, cells[column.index], column.index);
      if (keys[0] === undefined) continue;
      column.filled += 1;
      if (column.first.size < minDistinctKeys) column.first.add(keys[0]);
      for (const pair of column.pairs)
        if (keys.some((key) => pair.key.keys.has(key))) pair.matches += 1;
    }
    count += 1;
    if (count % rowsToCompare === 0) limit();
  }
  limit();
  const pairs = columns.flatMap(({ name, filled, first, pairs: ofColumn }) =>
    ofColumn.map(({ key, matches, isNamed }) => ({
      key: key.name,
      foreignKey: name,
      isNamed,
      isMatching: matches > 0 && matches * 2 >= filled,
      isRepeated: first.size < minDistinctKeys && filled >= rowsWithKeys,
    })),
  );
  const named = pairs.filter(({ isNamed }) => isNamed);
  const others = pairs.filter(
    ({ isMatching, isRepeated }) => isMatching && !isRepeated,
  );
  const areKeys = ({ foreignKey }: JoinKeys) =>
    !itemColumns.includes(foreignKey);
  const [best = []] = [
    named.filter(({ isMatching }) => isMatching),
    others.filter(areKeys),
    named.filter(areKeys),
    others,
  ].filter(({ length }) => length > 0);
  return best.map(({ key, foreignKey }) => ({ key, foreignKey }));
}
