import {
  checkExpression,
  checkRepeat,
  type BindingReport,
  type ScopeTypes,
} from "../expressions/index.js";
import { chartRepeat } from "../schema/chart-repeat.js";
import type { ComponentOf } from "../schema/component-schema.js";
import { reportAt, type Findings } from "./report.js";

/** A chart repeats over its data as a collection does; its label and series are fields of one element. */
export function checkChart(
  chart: ComponentOf<"chart">,
  path: string,
  types: ScopeTypes,
  findings: Findings,
): void {
  const report = reportAt(findings, path);
  const repeat = chartRepeat(chart);
  const inside = checkRepeat(
    { ...repeat, groupBy: undefined },
    types,
    forData(report),
  );
  checkExpression(chart.label, inside, report.at(".label"));
  chart.series.forEach(({ field }, index) =>
    checkExpression(field, inside, report.at(`.series[${index}].field`)),
  );
}

/** What is the path of a collection is the `data` of a chart. */
function forData(report: BindingReport): BindingReport {
  return {
    ...report,
    at: (suffix) => report.at(suffix === ".path" ? ".data" : suffix),
  };
}
