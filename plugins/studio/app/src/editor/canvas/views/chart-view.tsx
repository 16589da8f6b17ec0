import { useComputed } from "@preact/signals";
import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { keysOf } from "../../scope/path-text.js";
import { sampleAt } from "../../scope/sample-value.js";
import { findScope } from "../../text/chip/chip.js";
import { useCanvas } from "../canvas-state.js";
import { Bars, Legend, Lines, Slices } from "../chart-sketch.js";
import { chartSketch } from "../chart-data.js";
import { useLook } from "../look.js";
import { toPx } from "../to-px.js";
import type { ViewProps } from "./view-props.js";

/** A sketch of the chart, of its height; the print draws it exactly. */
export function ChartView({ component, place }: ViewProps<"chart">) {
  const list = useList(component);
  const look = useLook(component, place, { classes: ["chart"] });
  const { chartColors, chartHeight } = useCanvas().editor.design.defaults;
  const sketch = chartSketch(component, list, chartColors);
  const height = toPx(component.height) ?? toPx(chartHeight) ?? 0;
  const isRound = component.chart === "pie" || component.chart === "doughnut";
  return (
    <div {...look}>
      <div class="chart-sketch" style={{ height: `${height}px` }}>
        {isRound ? (
          <Slices sketch={sketch} hasHole={component.chart === "doughnut"} />
        ) : (
          <>
            {sketch.series.length > 1 && <Legend sketch={sketch} />}
            {component.chart === "line" ? (
              <Lines sketch={sketch} />
            ) : (
              <Bars sketch={sketch} />
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** What the sample has for a chart to draw. */
function useList({ id = "", data }: ComponentOf<"chart">): unknown {
  const { editor } = useCanvas();
  // Computed, so that a chart is drawn anew for other data alone.
  return useComputed(() => {
    const { value: definition } = editor.definition;
    const samples = { definition, facts: editor.facts.value };
    return sampleAt(samples, findScope(editor, id), keysOf(data) ?? []);
  }).value;
}
