import type { Watermark as WatermarkSetup } from "../../../../../../core/plugin-api/definition.js";
import { useCanvas } from "./canvas-state.js";
import type { Paper } from "./paper.js";
import { plainText } from "./component-name.js";
import { toPx } from "./to-px.js";

interface WatermarkProps {
  watermark: WatermarkSetup | undefined;
  paper: Paper;
}

/** Over the first page, as print has it over each. */
export function Watermark({ watermark, paper }: WatermarkProps) {
  const { watermark: usual } = useCanvas().editor.design.defaults;
  if (watermark === undefined) return null;
  const own = typeof watermark === "string" ? { text: watermark } : watermark;
  const {
    color = usual.color,
    opacity = usual.opacity,
    angle = usual.angle,
    fontSize,
  } = own;
  const words = plainText(own.text);
  const width = paper.width - paper.left - paper.right;
  const height = paper.height - paper.top - paper.bottom;
  if (words === "") return null;
  return (
    <svg
      class="sheet-watermark"
      width={width}
      height={height}
      style={{ top: `${paper.top}px`, left: `${paper.left}px`, opacity }}
      aria-hidden="true"
    >
      <text
        x={width / 2}
        y={height / 2}
        transform={`rotate(${angle} ${width / 2} ${height / 2})`}
        text-anchor="middle"
        dominant-baseline="central"
        font-weight="700"
        font-size={toPx(fontSize) ?? fittingSize(words, angle, width, height)}
        letter-spacing="0.04em"
        fill={color}
      >
        {words}
      </text>
    </svg>
  );
}

/** As large as fits, as in print. */
function fittingSize(
  words: string,
  angle: number,
  width: number,
  height: number,
): number {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const length = 0.78 * Math.max(3, words.length);
  return Math.min(
    160,
    width / (length * cos + sin),
    height / (length * sin + cos),
  );
}
