import type { Scope } from "../../definition/expressions/index.js";
import { PAGE_MARK, PAGES_MARK } from "../components/numbers.js";
import type { Run } from "../merge/run.js";
import { cssString } from "../output/escape.js";
import { px } from "../../definition/page/lengths.js";
import type { Paper } from "../../definition/page/paper.js";
import { bandImage, type ImageSize } from "./band-image.js";
import type { BandProgram } from "./band-program.js";
import { BAND_TEXT, declarations, type BandText } from "./band-style.js";
import { bandsOf, type Edges } from "./edges.js";
import { textDirection } from "../page/text-direction.js";
import { splitEdge, type EdgeBox, type PlacedSpot } from "./split-edge.js";

/** Writes the part of a style sheet that depends on the record. */
export type CssWriter = (root: Scope, run: Run) => string;

/**
 * The `@page` rules that print headers and footers: the art of each is the background of its margin boxes,
 * and the texts with page numbers are their content. Null when margin boxes cannot print them on this paper.
 */
export function marginBoxes(
  bands: Edges<BandProgram>,
  text: BandText,
  paper: Paper,
): CssWriter | null {
  const doFit = bandsOf(bands).every(
    ({ spots }) => spots && splitEdge(spots, paper.contentPx),
  );
  if (!doFit) return null;
  const writers = (["top", "bottom"] as const).flatMap((edge) => {
    const { first, other } = bands[edge];
    const size = { width: paper.contentPx, height: paper.margin[edge] };
    const place = { edge, text, size };
    const all = { ...place, selector: "@page", image: `--${edge}` };
    const one = {
      ...place,
      selector: "@page :first",
      image: `--first-${edge}`,
    };
    return [
      ...(other ? [edgeRule(other, all)] : []),
      ...(first === other ? [] : [first ? edgeRule(first, one) : bare(one)]),
    ];
  });
  return (root, run) => writers.map((write) => write(root, run)).join("");
}

interface Place {
  edge: "top" | "bottom";
  selector: string;
  /** The custom property that holds the art. */
  image: string;
  text: BandText;
  size: ImageSize;
}

const BOXES = ["left", "center", "right"] as const;

function bare({ edge, selector }: Place): CssWriter {
  const rules = BOXES.map((name) => `@${edge}-${name}{content:none}`);
  const rule = `${selector}{${rules.join("")}}\n`;
  return () => rule;
}

function edgeRule(band: BandProgram, place: Place): CssWriter {
  const { edge, selector, image, text, size } = place;
  const svg = bandImage(text.styles, text.language, size);
  const before = `:root{${image}:${svg.before}`;
  const after = `${svg.after}}\n${selector}{`;
  const boxes = splitEdge(band.spots ?? [], size.width) ?? [];
  const rules = BOXES.map((name) => {
    const box = boxes.find((candidate) => candidate.name === name);
    return boxRule(`@${edge}-${name}`, box, place);
  });
  return (root, run) =>
    `${before}${band.art(root, run)}${after}${rules.map((rule) => rule(root, run)).join("")}}\n`;
}

function boxRule(
  name: string,
  box: EdgeBox | undefined,
  { image, text, size: { width, height } }: Place,
): CssWriter {
  if (box === undefined) return () => `${name}{content:none}`;
  const { from, to, spot } = box;
  const style = declarations({
    "box-sizing": "border-box",
    width: px(to - from),
    background: `var(${image}) ${px(-from)} 0/${px(width)} ${px(height)} no-repeat`,
  });
  if (spot === null) return () => `${name}{content:"";${style}}`;
  const rest = `;${style};${textStyle(spot, from, to)};direction:${textDirection(text.language)}}`;
  return (root, run) =>
    `${name}{content:${content(spot.spot.text(root, run))}${rest}`;
}

function textStyle(
  { spot, left, right }: PlacedSpot,
  from: number,
  to: number,
): string {
  const padding = [spot.above, to - right, spot.below, left - from];
  return declarations({
    ...BAND_TEXT,
    "text-align": "start",
    ...spot.style,
    padding: padding.map((side) => px(Math.max(0, side))).join(" "),
    "vertical-align": "middle",
    "white-space": "pre-line",
  });
}

const MARKS = new RegExp(`([${PAGE_MARK}${PAGES_MARK}])`);

/** A text with marks as the value of `content`. */
function content(text: string): string {
  const parts = text.split(MARKS).filter((part) => part !== "");
  if (parts.length === 0) return '""';
  return parts
    .map((part) => {
      if (part === PAGE_MARK) return "counter(page)";
      return part === PAGES_MARK ? "counter(pages)" : cssString(part);
    })
    .join(" ");
}
