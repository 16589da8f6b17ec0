import { useCanvas } from "./canvas-state.js";
import { type ChartSketch, colorAt } from "./chart-data.js";

interface SketchProps {
  sketch: ChartSketch;
}

function greatest({ series }: ChartSketch): number {
  return Math.max(1e-9, ...series.flatMap(({ values }) => values));
}

function share(value: number, most: number): string {
  return `${(Math.max(0, value) / most) * 100}%`;
}

/** Where lines begin: at zero, unless all of them run high above it. */
function least({ series }: ChartSketch): number {
  const values = series.flatMap((one) => one.values);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > high / 2 ? low - (high - low) / 3 : Math.min(0, low);
}

/** Bars side by side for each name. */
export function Bars({ sketch }: SketchProps) {
  const most = greatest(sketch);
  return (
    <div class="bars">
      {sketch.labels.map((label, at) => (
        <div class="bar-slot" key={at}>
          <div class="bar-group">
            {sketch.series.map(({ color, values }, index) => (
              <div
                key={index}
                class="chart-bar"
                style={{
                  height: share(values[at] ?? 0, most),
                  background: color,
                }}
              />
            ))}
          </div>
          <div class="bar-label">{label}</div>
        </div>
      ))}
    </div>
  );
}

export function Lines({ sketch }: SketchProps) {
  const low = least(sketch);
  const span = greatest(sketch) - low || 1;
  const step = 100 / Math.max(1, sketch.labels.length - 1);
  const points = (values: readonly number[]) =>
    values
      .map((value, at) => `${at * step},${100 - ((value - low) / span) * 96}`)
      .join(" ");
  return (
    <div class="bars lines">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {sketch.series.map(({ color, values }, index) => (
          <polyline
            key={index}
            points={points(values)}
            fill="none"
            stroke={color}
            stroke-width="2"
            vector-effect="non-scaling-stroke"
          />
        ))}
      </svg>
      <div class="line-labels">
        {sketch.labels.map((label, at) => (
          <span key={at}>{label}</span>
        ))}
      </div>
    </div>
  );
}

/** A pie of the first series, with its names beside it. */
export function Slices({
  sketch,
  hasHole,
}: SketchProps & { hasHole: boolean }) {
  const [first] = sketch.series;
  const values = first?.values ?? [];
  const look = useSliceLook(first?.given, values.length);
  const sum = values.reduce((total, value) => total + Math.max(0, value), 0);
  let from = 0;
  return (
    <div class="slices">
      <svg viewBox="-1.05 -1.05 2.1 2.1" aria-hidden="true">
        {values.map((value, index) => {
          const begins = from;
          from += Math.max(0, value) / (sum || 1);
          return (
            <path
              key={index}
              d={slice(begins, from)}
              {...look(index)}
              stroke="#fff"
              stroke-width="0.02"
            />
          );
        })}
        {hasHole && <circle r="0.58" fill="#fff" />}
      </svg>
      <ul class="slice-names">
        {sketch.labels.map((label, index) => (
          <li key={index}>
            <svg viewBox="0 0 1 1" aria-hidden="true">
              <path d="M0 0h1v1h-1z" {...look(index)} />
            </svg>
            {label}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Legend({ sketch }: SketchProps) {
  return (
    <div class="chart-legend">
      {sketch.series.map(({ name, color }, index) => (
        <span key={index}>
          <span style={{ background: color }} />
          {name}
        </span>
      ))}
    </div>
  );
}

/** Colours of the palette, or one colour getting lighter from slice to slice, as in print. */
function useSliceLook(given: string | undefined, count: number) {
  const { chartColors } = useCanvas().editor.design.defaults;
  return (index: number) => {
    if (given === undefined) return { fill: colorAt(chartColors, index) };
    const opacity = count < 2 ? 1 : 1 - (0.75 * index) / (count - 1);
    return { fill: given, "fill-opacity": opacity };
  };
}

/** From one share of the whole turn to another. */
function slice(from: number, to: number): string {
  const end = Math.min(to, from + 0.9999);
  const isLong = end - from > 0.5 ? 1 : 0;
  return `M0 0L${rimAt(from)}A1 1 0 ${isLong} 1 ${rimAt(end)}Z`;
}

/** The point on the rim of a circle of 1 after a part of a turn. */
function rimAt(part: number): string {
  const angle = (part - 0.25) * 2 * Math.PI;
  return `${Math.cos(angle).toFixed(4)} ${Math.sin(angle).toFixed(4)}`;
}
