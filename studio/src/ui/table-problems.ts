import type {
  TableProblem,
  TableProblemCode,
  TableProblemValues,
} from "../../../core/integrations/platforms/views.js";
import type {
  FileFaultCode,
  FileFaultValues,
} from "../../../core/plugin-api/file-reader.js";
import { locale, t } from "../messages/index.js";

const alternatives = new Intl.ListFormat(locale, { type: "disjunction" });
const all = new Intl.ListFormat(locale);
const plainNumber = new Intl.NumberFormat(locale, {
  useGrouping: false,
  maximumFractionDigits: 20,
});

/** Each says what to do with the controls of the page, and not with those of the API. */
const sentences: Record<
  TableProblemCode,
  (values: TableProblemValues) => string
> = {
  no_column: () =>
    t("rowProblems.noColumn", { headerRow: t("fromFile.headerRow") }),
  missing_column: () => t("rowProblems.missingColumn"),
  unknown_column: () => t("rowProblems.unknownColumn"),
  unclear_column: ({ fields = [] }) =>
    t("rowProblems.unclearColumn", { fields: all.format(fields) }),
  linked_field: ({ fields = [] }) =>
    fields.length === 0
      ? t("rowProblems.linkedList")
      : t("rowProblems.linkedRecord", { fields: all.format(fields) }),
  repeated_column: ({ text = "" }) => t("rowProblems.repeatedColumn", { text }),
  unclear_header: () =>
    t("rowProblems.unclearHeader", { headerRow: t("fromFile.headerRow") }),
  repeated_header: () => t("rowProblems.repeatedHeader"),
  too_many_values: () => t("rowProblems.tooManyValues"),
  merged_cells: ({ range = "" }) => t("rowProblems.mergedCells", { range }),
  missing_value: () => t("rowProblems.missingValue"),
  no_value: ({ text = "" }) => t("rowProblems.noValue", { text }),
  formula_error: ({ text = "" }) => t("rowProblems.formulaError", { text }),
  uncalculated_formula: () => t("rowProblems.uncalculatedFormula"),
  unusable_number: ({ text = "" }) => t("rowProblems.unusableNumber", { text }),
  not_a_number: ({ text = "" }) => t("rowProblems.notNumber", { text }),
  ambiguous_number: ({ text = "", readings = [] }) =>
    t("rowProblems.ambiguousNumber", {
      text,
      readings: alternatives.format(
        readings.map((reading) => plainNumber.format(Number(reading))),
      ),
      numbers: t("fromFile.numbers"),
    }),
  mixed_decimal_marks: ({ text = "" }) =>
    t("rowProblems.mixedDecimalMarks", { text }),
  mixed_percentages: ({ text = "" }) =>
    t("rowProblems.mixedPercentages", { text }),
  mixed_currencies: ({ text = "", other = "" }) =>
    t("rowProblems.mixedCurrencies", { text, currency: other }),
  looks_like_code: ({ text = "" }) => t("rowProblems.looksLikeCode", { text }),
  number_with_unit: ({ text = "", other = "" }) =>
    t("rowProblems.numberWithUnit", { text, unit: other }),
  not_a_date: ({ text = "" }) => t("rowProblems.notDate", { text }),
  ambiguous_date: ({ text = "" }) =>
    t("rowProblems.ambiguousDate", { text, dates: t("fromFile.dates") }),
  mixed_date_orders: ({ text = "" }) =>
    t("rowProblems.mixedDateOrders", { text }),
  not_a_boolean: ({ text = "" }) => t("rowProblems.notBoolean", { text }),
  ambiguous_boolean: ({ text = "" }) =>
    t("rowProblems.ambiguousBoolean", { text }),
  wrong_type: ({ text = "" }) => t("rowProblems.wrongType", { text }),
  no_key: () => t("rowProblems.noKey"),
  similar_keys: ({ text = "", other = "" }) =>
    t("rowProblems.similarKeys", { text, other }),
  total_row: () => t("rowProblems.totalRow"),
  note_row: () => t("rowProblems.noteRow"),
  conflicting_values: ({ text = "", other = "" }) =>
    t("rowProblems.conflictingValues", { text, other }),
  list_in_rows: ({
    field = "",
    column,
    columns = [],
    documentCount: count = 0,
  }) =>
    column === undefined
      ? t("rowProblems.listWithoutKey", {
          columns: all.format(columns),
          list: field,
        })
      : t("rowProblems.listInRows", {
          count,
          column,
          oneDocumentFor: t("fromFile.oneDocumentFor"),
        }),
  list_in_sheet: ({ sheet = "", field = "" }) =>
    t("rowProblems.listInSheet", {
      sheet,
      list: field,
      listFrom: t("fromFile.listFrom", { list: field }),
    }),
  documents_in_sheet: ({ columns = [] }) =>
    t("rowProblems.documentsInSheet", {
      columns: all.format(columns),
      sheet: t("fromFile.sheet"),
    }),
  line_without_row: ({ text = "", other }) =>
    other === undefined
      ? t("rowProblems.lineWithoutRow", { text })
      : t("rowProblems.similarKeys", { text, other }),
  repeated_key: ({ otherRow = 0 }) =>
    t("rowProblems.repeatedKey", { row: otherRow }),
};

const byCode = new Map<string, (values: TableProblemValues) => string>(
  Object.entries(sentences),
);

/** Where a problem of a file or of pasted rows is, and what to do about it; the service's own words for an unknown code. */
export function describeTableProblem({
  code,
  path,
  message,
  values,
}: TableProblem): { place: string; sentence: string } {
  const sentence = byCode.get(code)?.(values);
  if (sentence === undefined) return { place: path, sentence: message };
  const { sheet, row, column, field } = values;
  // The sentences about lists name their columns and sheets.
  const parts = code.startsWith("list_")
    ? []
    : [
        sheet !== undefined && t("rowProblems.sheet", { sheet }),
        row !== undefined && t("rowProblems.row", { row }),
        column !== undefined && t("rowProblems.column", { column }),
        field !== undefined && t("rowProblems.field", { field }),
      ];
  return { place: parts.filter(Boolean).join(" · "), sentence };
}

const faultSentences: Record<
  FileFaultCode,
  (values: FileFaultValues) => string
> = {
  empty_file: () => t("fileFaults.emptyFile"),
  no_rows: () => t("fileFaults.noRows", { headerRow: t("fromFile.headerRow") }),
  empty_header: () =>
    t("fileFaults.emptyHeader", { headerRow: t("fromFile.headerRow") }),
  no_sheet: () => t("fileFaults.noSheet"),
  unknown_format: () => t("fileFaults.unknownFormat"),
  markup: () => t("fileFaults.markup"),
  old_workbook: () => t("fileFaults.oldWorkbook"),
  encrypted: () => t("fileFaults.encrypted"),
  damaged: () => t("fileFaults.damaged"),
  ambiguous_encoding: ({
    text = "",
    encoding = "",
    other,
    otherEncoding = "",
  }) => {
    const label = t("fromFile.encoding");
    return other === undefined
      ? t("fileFaults.doubtfulEncoding", { text, encoding, label })
      : t("fileFaults.ambiguousEncoding", {
          text,
          encoding,
          other,
          otherEncoding,
          label,
        });
  },
  wrong_encoding: ({ encoding = "" }) =>
    t("fileFaults.wrongEncoding", {
      encoding: encoding.toUpperCase(),
      label: t("fromFile.encoding"),
    }),
  no_encoding: () => t("fileFaults.noEncoding"),
  open_quote: () => t("fileFaults.openQuote"),
  stray_quote: () => t("fileFaults.strayQuote"),
  unreadable_row: () => t("fileFaults.unreadableRow"),
  invalid_json: () => t("fileFaults.invalidJson"),
  no_objects: () => t("fileFaults.noObjects"),
  deep_json: ({ count: limit = 0 }) => t("fileFaults.deepJson", { limit }),
  repeated_name: ({ text = "" }) => t("fileFaults.repeatedName", { text }),
  too_many_columns: ({ count: limit = 0 }) =>
    t("fileFaults.tooManyColumns", { limit }),
  too_many_cells: ({ count: limit = 0 }) =>
    t("fileFaults.tooManyCells", { limit }),
  too_many_rows: ({ count: limit = 0 }) =>
    t("fileFaults.tooManyRows", { limit }),
  long_row: ({ count: limit = 0 }) => t("fileFaults.longRow", { limit }),
  long_value: ({ count: limit = 0 }) => t("fileFaults.longValue", { limit }),
  too_large: () => t("fileFaults.tooLarge"),
  too_slow: () => t("fileFaults.tooSlow"),
  unreadable: () => t("fileFaults.unreadable"),
  busy: () => t("fileFaults.busy"),
};

const faultsByCode = new Map<string, (values: FileFaultValues) => string>(
  Object.entries(faultSentences),
);

/** A `Refusal` of a file, or of pasted rows. */
interface FileRefusal {
  status: number;
  message: string;
  problem: { code: string; values: object } | null;
}

/** Why it cannot be read at all; the service's own words for an unknown code. */
export function describeFileFault(refusal: FileRefusal): string {
  const { status, message, problem } = refusal;
  const tooLarge = status === 413 ? "too_large" : "";
  const sentence = faultsByCode.get(problem?.code ?? tooLarge);
  if (sentence === undefined) return message;
  const values: FileFaultValues = problem?.values ?? {};
  const { row, line, item } = values;
  const place = [
    row !== undefined && t("rowProblems.row", { row }),
    line !== undefined && t("fileFaults.line", { line }),
    item !== undefined && t("fileFaults.item", { item }),
  ];
  return [place.filter(Boolean).join(" · "), sentence(values)]
    .filter(Boolean)
    .join(" – ");
}
