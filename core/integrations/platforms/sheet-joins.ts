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
/** More columns without a repeated value in so many rows would take too much memory; keys stand on the left. */
const maxKeyColumns = 8;
const rowsToLimit = 5000;

/**
 * Looks for sheets whose columns fit a list of the template, and for the columns that name a row of the documents' sheet in
 * each of their rows. @returns all that is possible, and a problem for each sheet that nobody has answered.
 */
export async function proposeJoins(
  documents: DocumentSheet,
  open: (sheet: string) => Promise<Sheet>,
  schema: Collection[],
  root: Collection | undefined,
): Promise<{ proposals: JoinProposal[]; problems: Problem[] }> {
  const { table } = documents.plan;
  const proposals: JoinProposal[] = [];
  const problems: Problem[] = [];
  const names = table.sheets.filter((name) => name !== table.sheet);
  if (listLists(schema, root).size === 0) return { proposals, problems };
  let keys: UniqueColumns | null = null;
  for (const sheet of names.slice(0, maxSheets)) {
    const second = await openReadable(open, sheet);
    if (!second || second.table.rowCount === 0) continue;
    const lists = findFittingLists(second.table, documents.plan, schema, root);
    const [list] = lists;
    if (!list) continue;
    keys ??= await readUniqueColumns(documents);
    const pairs = await findKeyPairs(keys, second, list.names);
    const ofSheet = pairs
      .filter(({ foreignKey }) =>
        list.names.some((name) => name !== foreignKey),
      )
      .flatMap((pair) => lists.map(({ as }) => ({ sheet, ...pair, as })))
      .slice(0, maxProposals);
    if (ofSheet.length === 0) continue;
    proposals.push(...ofSheet);
    const choices = ofSheet.map((join) => JSON.stringify(join)).join(" or ");
    problems.push({
      path: `field "${list.as}"`,
      code: "join",
      message: `${list.names.length === 1 ? "The column" : "The columns"} ${listNames(list.names)} of the sheet "${sheet}" ${list.names.length === 1 ? "fits" : "fit"} the list "${list.as}", which would be empty in every document.`,
      hint: `Send "join": ${choices}, or "mapping" for documents without the rows of this sheet.`,
    });
  }
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

/** The values of columns without an empty or a repeated one, by the names of the columns. */
type UniqueColumns = ReadonlyMap<string, ReadonlySet<string>>;

async function readUniqueColumns({
  spool,
  plan,
}: DocumentSheet): Promise<UniqueColumns> {
  const { columns } = plan.table;
  const unique = new Map(columns.map(({ name }) => [name, new Set<string>()]));
  let count = 0;
  for await (const { cells } of spool.rows()) {
    for (const [index, { name }] of columns.entries()) {
      const values = unique.get(name);
      const key = values ? toKey(plan.getValue(cells[index])) : "";
      if (key === "" || values?.has(key)) unique.delete(name);
      else values?.add(key);
    }
    if (unique.size === 0) break;
    count += 1;
    if (count === rowsToLimit)
      for (const name of [...unique.keys()].slice(maxKeyColumns))
        unique.delete(name);
  }
  return unique;
}

type JoinKeys = Pick<JoinProposal, "key" | "foreignKey">;

/**
 * The pairs of columns of which the second has values of the first alone. A column of items is no key, such as a quantity
 * beside numbers of invoices, unless both columns have the same name.
 */
async function findKeyPairs(
  keys: UniqueColumns,
  { spool, table }: Sheet,
  itemColumns: readonly string[],
): Promise<JoinKeys[]> {
  const plan = new TablePlan(table, [], undefined, {
    without: null,
    mayBeEmpty: true,
  });
  let pairs = table.columns.flatMap(({ name: foreignKey }, index) =>
    [...keys].map(([key, values]) => ({ key, foreignKey, index, values })),
  );
  for await (const { cells } of spool.rows()) {
    pairs = pairs.filter(({ index, values }) =>
      values.has(toKey(plan.getValue(cells[index]))),
    );
    if (pairs.length === 0) break;
  }
  const isSafe = ({ key, foreignKey }: JoinKeys) =>
    !itemColumns.includes(foreignKey) ||
    toKey(key).toLowerCase() === toKey(foreignKey).toLowerCase();
  const safe = pairs.filter(isSafe);
  return (safe.length > 0 ? safe : pairs).map(({ key, foreignKey }) => ({
    key,
    foreignKey,
  }));
}
