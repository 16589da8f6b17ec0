import type { TableProblem } from "../../../core/integrations/platforms/views.js";
import type {
  DateOrder,
  TableColumn,
} from "../../../core/plugin-api/file-reader.js";
import type { DecimalMark } from "../../../core/plugin-api/number-text.js";
import { t } from "../messages/index.js";
import { Notice } from "./notice.js";
import { Select } from "./select.js";
import { describeTableProblem } from "./table-problems.js";

/** How texts are read as dates and numbers; what is left out is detected. */
export interface TextReading {
  dateFormat?: DateOrder;
  decimal?: DecimalMark;
}

const dateFormats: [DateOrder, string][] = [
  ["DMY", t("fromFile.dayFirst")],
  ["MDY", t("fromFile.monthFirst")],
  ["YMD", t("fromFile.yearFirst")],
];

const decimals: [DecimalMark, string][] = [
  [".", "1,234.50"],
  [",", "1.234,50"],
];

interface ReadingQuestionsProps {
  table: {
    columns: readonly Pick<TableColumn, "dateOrder" | "decimal">[];
    /** Null when it must be given, as is `decimal`. */
    dateFormat: DateOrder | null;
    decimal: DecimalMark | null;
  };
  reading: TextReading;
  onChange: (change: TextReading) => void;
}

/** What the values of a table do not show, or what was detected and may be wrong. */
export function ReadingQuestions(props: ReadingQuestionsProps) {
  const { table, reading, onChange } = props;
  const { columns, dateFormat, decimal } = table;
  const asksDates = columns.some(({ dateOrder }) => dateOrder === "ambiguous");
  const isUnclear = columns.some((column) => column.decimal === "ambiguous");
  const asksDecimal = decimal === null && isUnclear;
  return (
    <>
      {(asksDates || reading.dateFormat !== undefined) && (
        <label class="field">
          {t("fromFile.dates")}
          <Select
            value={dateFormat ?? undefined}
            options={dateFormats}
            none={dateFormat === null ? t("fromFile.chooseOne") : undefined}
            onChange={(order) => {
              if (order) onChange({ dateFormat: order });
            }}
          />
        </label>
      )}
      {(asksDecimal || reading.decimal !== undefined) && (
        <label class="field">
          {t("fromFile.numbers")}
          <Select
            value={decimal ?? undefined}
            options={decimals}
            none={decimal === null ? t("fromFile.chooseOne") : undefined}
            onChange={(mark) => {
              if (mark) onChange({ decimal: mark });
            }}
          />
        </label>
      )}
    </>
  );
}

interface ReadingProblemsProps {
  problems: readonly TableProblem[];
}

const shownProblems = 10;

export function ReadingProblems({ problems }: ReadingProblemsProps) {
  const others = problems.length - shownProblems;
  return (
    <Notice
      tone="bad"
      title={t("common.countProblems", { count: problems.length })}
    >
      <ul>
        {problems.slice(0, shownProblems).map((problem) => {
          const { place, sentence } = describeTableProblem(problem);
          return (
            <li key={problem.path + problem.message}>
              {place !== "" && <strong>{place}</strong>} {sentence}
            </li>
          );
        })}
      </ul>
      {others > 0 && <p>{t("fromFile.otherProblems", { count: others })}</p>}
    </Notice>
  );
}
