import { BATCH_DRAFT_FOLDER, MAX_BATCH_ITEMS } from "../../batches/index.js";
import { getFormula } from "../../definition/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  type FileTable,
  findDateOrder,
  findDecimalMark,
  looksLikeCode,
  parseBooleanText,
  readUnit,
  simplifyName,
  type TableColumn,
} from "../../plugin-api/index.js";
import { PlatformHost } from "../host/index.js";
import { RowSpool } from "./row-spool.js";
import {
  type Collection,
  type Field,
  type FileOptions,
  listLists,
  type NewField,
  type Schema,
  TablePlan,
  type TableRow,
} from "./table-plan.js";
import { UniqueNames } from "./table-template.js";
import type { ReadRows, RowsTarget, TableProblem } from "./views.js";

/** CSV, cells of a sheet, or a list of records as JSON. */
interface PastedText extends Pick<
  FileOptions,
  "headerRow" | "decimal" | "dateFormat"
> {
  text: string;
  /** Of the template, as is `currency`. */
  schema: Schema;
  currency: string;
  /** Default: what most of the columns fit. */
  target?: RowsTarget | undefined;
}

const maxProblems = 1000;

/** Sample data for a template that is being edited. */
@scoped(Lifecycle.ContainerScoped)
export class PastedRows {
  constructor(
    @inject(PlatformHost) private readonly platforms: PlatformHost,
    @inject(BATCH_DRAFT_FOLDER) private readonly folder: string,
    @inject(MAX_BATCH_ITEMS) private readonly maxItems: number,
  ) {}

  /** Reads them as a file, and proposes fields for the columns that fit none. @throws PlatenError `invalid_request`. */
  async read(pasted: PastedText): Promise<ReadRows> {
    const { text, headerRow, currency, decimal, dateFormat } = pasted;
    const { table, rows } = await this.#readTable(text, headerRow).catch(
      (error: unknown) => {
        if (headerRow !== undefined) throw error;
        // A single row has values.
        return this.#readTable(text, 0);
      },
    );
    // A record of a sample need not be complete.
    const schema = pasted.schema.map((collection) => ({
      ...collection,
      fields: collection.fields.map((field) => ({ ...field, required: false })),
    }));
    const targets = listTargets(schema);
    const target = pasted.target ?? findBestTarget(targets, table, schema);
    const collection = targets.get(target);
    const newFields = createFields(table, rows, collection, currency);
    const plan = new TablePlan(table, schema, collection, {
      decimal,
      dateFormat,
      newFields,
      without: null,
    });
    const isCsv = table.delimiter !== null;
    const isHeaderUnclear =
      headerRow === undefined &&
      (table.headerRow === null
        ? isCsv && table.columns.every(({ type }) => type === "text")
        : table.columns.some(
            ({ name }) =>
              findDecimalMark(name) !== undefined ||
              findDateOrder(name) !== undefined,
          ));
    const { problems } = plan;
    if (isHeaderUnclear)
      problems.unshift(
        plan.createProblem(table.headerRow ?? 1, null, {
          fault:
            table.headerRow === null
              ? "has texts alone, which may be names of columns or values. Choose the header row"
              : "has numbers or dates, which may be names of columns or values. Choose the header row",
          code: "unclear_header",
        }),
      );
    const columns = plan.columns.flatMap(({ index, steps, field }) => {
      const column = table.columns[index];
      if (!column) return [];
      const { name, decimal: mark, dateOrder } = column;
      const isNew = field !== null && newFields[index]?.field === field;
      if (isNew && plan.getHeader(index) !== name)
        problems.push(createRepetition(name, plan.getHeader(index)));
      return { name, decimal: mark, dateOrder, path: steps, field, isNew };
    });
    const records = rows.map((row) => plan.convert(row, problems));
    const used = new Set(plan.columns.map(({ index }) => index));
    const calculated = table.columns.filter(
      (_, index) => !newFields[index] && !used.has(index),
    );
    return {
      target,
      headerRow: isCsv ? (table.headerRow ?? 0) : null,
      isHeaderUnclear,
      columns,
      calculated: calculated.map(({ name }) => name),
      decimal: plan.decimal,
      dateFormat: plan.dateFormat,
      records,
      problems: problems.slice(0, maxProblems),
    };
  }

  async #readTable(
    text: string,
    headerRow: number | undefined,
  ): Promise<{ table: FileTable; rows: TableRow[] }> {
    const file = await RowSpool.open(this.folder);
    const spool = await RowSpool.open(this.folder);
    try {
      await file.append(text);
      const reader = await this.platforms.getFileReader();
      const table = await reader.read({
        fd: file.fd,
        fileName: "",
        rowsFd: spool.fd,
        headerRow,
        maxRows: this.maxItems,
      });
      const rows: TableRow[] = [];
      for await (const row of spool.rows()) rows.push(row);
      return { table, rows };
    } finally {
      await file.close();
      await spool.close();
    }
  }
}

/** Of a column that would become another field with the same name. */
function createRepetition(column: string, header: string): TableProblem {
  return {
    path: `column "${column}"`,
    code: "repeated_column",
    message: `Another column is called "${header}" too. Rename one of them, or delete it.`,
    values: { column, text: header },
  };
}

type Targets = ReadonlyMap<RowsTarget, Collection | undefined>;

function listTargets(schema: Schema): Targets {
  const root = schema.find(({ id }) => id === "root");
  const lists = [...listLists(schema, root)].filter(
    ([path]) => !path.includes("."),
  );
  return new Map<RowsTarget, Collection | undefined>([
    ...lists.map(([name, list]) => [`list:${name}`, list] as const),
    ["record", root],
  ]);
}

/** Of those that as many columns fit, a list. */
function findBestTarget(
  targets: Targets,
  table: FileTable,
  schema: Schema,
): RowsTarget {
  const fits = [...targets].map(([target, collection]) => {
    const isEmpty = (collection?.fields.length ?? 0) === 0;
    const options = { without: null, mayBeEmpty: true };
    const plan = new TablePlan(table, schema, collection, options);
    return { target, count: isEmpty ? 0 : plan.columns.length };
  });
  const [best] = fits.toSorted((fit, other) => other.count - fit.count);
  return best?.target ?? "record";
}

/** Names in JSON are those of the data, and its values have types. Calculated fields take no values. */
function createFields(
  table: FileTable,
  rows: readonly TableRow[],
  collection: Collection | undefined,
  currency: string,
): (NewField | null)[] {
  const { fields = [] } = collection ?? {};
  const names = new UniqueNames(fields.map(({ name }) => name));
  const calculated = new Set(
    fields
      .filter((field) => getFormula(field) !== undefined)
      .flatMap(({ name, label = name }) => [
        simplifyName(name),
        simplifyName(label),
      ]),
  );
  return table.columns.map((column, index) => {
    if (calculated.has(simplifyName(column.name))) return null;
    if (table.delimiter === null) return { name: column.name, field: null };
    const name = names.create(column.name, "field");
    const texts = rows
      .map(({ cells }) => cells[index])
      .flatMap((cell) => (typeof cell === "string" ? [cell.trim()] : []))
      .filter((text) => text !== "");
    const label = column.name !== name && { label: column.name };
    const field = { name, ...label, ...findType(column, texts, currency) };
    return { name, field };
  });
}

type NumberField = Extract<Field, { type: "Number" }>;
type FieldKind =
  | Pick<NumberField, "type" | "format" | "currency">
  | { type: "String" | "Date" | "Boolean" };

/** Text, unless all values are of the same kind, and have the same unit if they are numbers. */
function findType(
  { type, booleans }: TableColumn,
  texts: readonly string[],
  currency: string,
): FieldKind {
  if (type === "date") return { type: "Date" };
  const isBoolean =
    type === "boolean" &&
    texts.every((text) => parseBooleanText(text, booleans) !== null);
  if (isBoolean) return { type: "Boolean" };
  if (type !== "number" || texts.some(isCode) || texts.every(looksLikeCode))
    return { type: "String" };
  return findUnit(texts, currency);
}

/** Numbers of phones, and those of bank accounts, which have more digits than a number keeps. */
function isCode(text: string): boolean {
  return text.startsWith("+") || text.replaceAll(/\D/g, "").length > 15;
}

/** @param currency which a sign such as $ may be, as that of several */
function findUnit(texts: readonly string[], currency: string): FieldKind {
  const units = texts.flatMap((text) => readUnit(text) ?? []);
  const percents = new Set(units.map(({ isPercent }) => isPercent));
  const currencies = new Set(units.map((unit) => unit.currency));
  const hasPlain = currencies.delete(null);
  const [code] = currencies;
  if (percents.size > 1 || currencies.size > 1) return { type: "String" };
  if (percents.has(true)) return { type: "Number", format: "percent" };
  if (hasPlain || code == null) return { type: "Number" };
  const money = { type: "Number", format: "currency" } as const;
  const all = texts.join("");
  const sign = /\p{L}/u.test(all) ? null : /\p{Sc}/u.exec(all)?.[0];
  if (code === currency || sign === getSign(currency)) return money;
  return /^[A-Z]{3}$/.test(code)
    ? { ...money, currency: code }
    : { type: "Number" };
}

function getSign(currency: string): string | undefined {
  return new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  })
    .formatToParts(1)
    .find(({ type }) => type === "currency")?.value;
}
