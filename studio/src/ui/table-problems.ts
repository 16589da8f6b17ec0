import type {
  TableProblem,
  TableProblemCode,
  TableProblemValues,
} from "../../../core/integrations/platforms/views.js";
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
  unclear_header: () =>
    t("rowProblems.unclearHeader", { headerRow: t("fromFile.headerRow") }),
  repeated_header: () => t("rowProblems.repeatedHeader"),
  too_many_values: () => t("rowProblems.tooManyValues"),
  merged_cells: ({ range = "" }) => t("rowProblems.mergedCells", { range }),
  missing_value: () => t("rowProblems.missingValue"),
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
