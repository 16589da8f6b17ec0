import { countOf, numberOf } from "../../format.js";

const width = 720;
const height = 240;
const left = 48;
const bottom = 26;
const top = 10;

/** A month's days as bars. What it shows is in the table too, which those hear who cannot see it. */
export function UsagePlot({ counts }: { counts: readonly number[] }) {
  const most = niceTop(Math.max(...counts));
  const step = (width - left) / counts.length;
  const yOf = (count: number) =>
    top + (height - top - bottom) * (1 - count / most);
  return (
    <div class="plot" role="group" aria-label="Plot of the month" tabIndex={0}>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <Scale most={most} yOf={yOf} />
        {counts.map((count, index) => (
          <g key={index}>
            <rect
              class="bar-mark"
              x={left + index * step + step * 0.16}
              y={yOf(count)}
              width={step * 0.68}
              height={yOf(0) - yOf(count)}
              rx={2}
            >
              <title>{`${index + 1}: ${countOf(count, "document")}`}</title>
            </rect>
            {isNamed(index) && (
              <text
                x={left + (index + 0.5) * step}
                y={height - 6}
                text-anchor="middle"
              >
                {index + 1}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

function Scale({
  most,
  yOf,
}: {
  most: number;
  yOf: (count: number) => number;
}) {
  const parts = most % 4 === 0 ? 4 : most % 5 === 0 ? 5 : most;
  const marks = Array.from(
    { length: parts + 1 },
    (_, index) => (most / parts) * index,
  );
  return (
    <>
      {marks.map((mark) => (
        <g key={mark}>
          <line x1={left} x2={width} y1={yOf(mark)} y2={yOf(mark)} />
          <text x={left - 8} y={yOf(mark) + 4} text-anchor="end">
            {numberOf(mark)}
          </text>
        </g>
      ))}
    </>
  );
}

/** The first day and every fifth: more would not have room. */
function isNamed(index: number): boolean {
  return index === 0 || (index + 1) % 5 === 0;
}

/** The end of the axis: a round number that is not below. */
function niceTop(most: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const factor = [1, 2, 4, 5, 8, 10].find((one) => one * size >= most) ?? 10;
  return Math.max(factor * size, 4);
}
