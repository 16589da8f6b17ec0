import { useCanvas } from "../canvas-state.js";
import { Bars, Legend, Lines, Slices } from "../chart-sketch.js";
import { chartSketch } from "../chart-data.js";
import { useLook } from "../look.js";
import { useScope } from "../scope-context.js";
import { toPx } from "../to-px.js";
import type { ViewProps } from "./view-props.js";

const defaultHeight = 242;

/** A sketch of the chart, of its height; the print draws it exactly. */
export function ChartView({ component, place }: ViewProps<"chart">) {
  const { data } = useCanvas();
  const scope = useScope();
  const look = useLook(component, place, { classes: ["chart"] });
  const sketch = chartSketch(component, scope, data.value);
  const height = toPx(component.height) ?? defaultHeight;
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
