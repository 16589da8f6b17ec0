import type {
  ChartSeries,
  ComponentOf,
} from "../../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../../model/editor-context.js";
import { updateComponent } from "../../model/edits.js";
import { listFields, listPathOptions } from "../../scope/path-options.js";
import { SelectField } from "../controls/fields.js";
import { toHexColor } from "../controls/color-field.js";
import { ListField } from "./list-fields.js";
import { t } from "../../../messages/index.js";

type Chart = ComponentOf<"chart">;
type Choice = readonly [value: string, words: string];

const sums = [
  ["SUM", t("text.sum")],
  ["COUNT", t("text.count")],
  ["AVG", t("text.average")],
] as const;

interface ChartFieldsProps {
  id: string;
  chart: Chart;
}

/** The list, labels and values of a chart. */
export function ChartFields({ id, chart }: ChartFieldsProps) {
  const editor = useEditor();
  const lists = listPathOptions(editor, id, "content").filter(
    ({ kind }) => kind === "list",
  );
  const fields = listFields(editor, id, chart.data).map(
    ({ path, label }): Choice => [path, label],
  );
  const set = (change: Partial<Chart>) =>
    updateComponent(editor, id, t("content.changeChart"), (draft) => {
      Object.assign(draft, change);
    });
  return (
    <>
      <SelectField
        label={t("common.list")}
        value={chart.data}
        options={withCurrentValue(
          lists.map(({ path, label }) => [path, label]),
          chart.data,
        )}
        onChange={(data) => data !== undefined && set({ data })}
      />
      <SelectField
        label={t("content.names")}
        value={chart.label}
        options={withCurrentValue(fields, chart.label)}
        onChange={(label) => label !== undefined && set({ label })}
      />
      <SeriesField
        list={chart.series}
        fields={fields}
        onChange={(series) => set({ series })}
      />
    </>
  );
}

interface ValueLinesProps {
  list: ChartSeries[];
  fields: readonly Choice[];
  onChange: (series: ChartSeries[]) => void;
}

function SeriesField({ list, fields, onChange }: ValueLinesProps) {
  return (
    <ListField
      label={t("common.values")}
      noun="value"
      list={list}
      min={1}
      make={(): ChartSeries => ({ field: fields[0]?.[0] ?? "value" })}
      onChange={onChange}
      draw={(one, index) => (
        <SeriesFields
          series={one}
          index={index}
          fields={fields}
          onChange={(next) => onChange(list.with(index, next))}
        />
      )}
    />
  );
}

interface SeriesFieldsProps {
  series: ChartSeries;
  index: number;
  fields: readonly Choice[];
  onChange: (series: ChartSeries) => void;
}

function SeriesFields({ series, index, fields, onChange }: SeriesFieldsProps) {
  const change = (part: Partial<ChartSeries>) => {
    const whole = Object.entries({ ...series, ...part });
    const set = whole.filter(([, value]) => value !== undefined);
    onChange({ field: series.field, ...Object.fromEntries(set) });
  };
  const number = index + 1;
  return (
    <>
      <Pick
        label={t("content.fieldOfValue", { number })}
        value={series.field}
        options={withCurrentValue(fields, series.field)}
        onChange={(field) => change({ field })}
      />
      <Pick
        label={t("content.aggregationOfValue", { number })}
        value={series.aggregate ?? ""}
        options={[["", t("common.none")], ...sums]}
        onChange={(sum) =>
          change({
            aggregate: sums.map(([one]) => one).find((one) => one === sum),
          })
        }
      />
      <SeriesLook series={series} number={number} change={change} />
    </>
  );
}

interface SeriesLookProps {
  series: ChartSeries;
  number: number;
  change: (part: Partial<ChartSeries>) => void;
}

function SeriesLook({ series, number, change }: SeriesLookProps) {
  return (
    <>
      <input
        class="input small"
        aria-label={t("content.nameOfValue", { number })}
        placeholder={t("common.name")}
        value={series.label ?? ""}
        onInput={({ currentTarget: { value } }) =>
          change({ label: value || undefined })
        }
      />
      <input
        type="color"
        aria-label={t("content.colorOfValue", { number })}
        value={toHexColor(series.color) ?? "#2563eb"}
        onInput={({ currentTarget }) => change({ color: currentTarget.value })}
      />
    </>
  );
}

interface PickProps {
  label: string;
  value: string;
  options: readonly Choice[];
  onChange: (value: string) => void;
}

function Pick({ label, value, options, onChange }: PickProps) {
  return (
    <select
      class="input small"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(([one, words]) => (
        <option value={one} key={one}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Adds the current value to the options, since it can be an expression. */
function withCurrentValue(
  options: readonly Choice[],
  own: string,
): readonly Choice[] {
  const isThere = options.some(([value]) => value === own);
  return isThere ? options : [...options, [own, own]];
}
