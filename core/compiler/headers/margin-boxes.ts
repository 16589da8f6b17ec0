import type { Scope } from "../../definition/expressions/index.js";
import { px, type Paper } from "../../definition/page/paper.js";
import { resolve } from "../column-layout.js";
import { PAGE_MARK, PAGES_MARK } from "../components/emit-context.js";
import { cssString } from "../escape.js";
import { textDirection } from "../locale.js";
import type { Run } from "../merge/run.js";
import {
  type BandProgram,
  bandsOf,
  type Edges,
  type CompiledSpot,
} from "./compile-headers.js";
import {
  bandImage,
  type ImageSize,
  BAND_TEXT,
  declarations,
  type BandText,
} from "./header-style.js";

/** Writes the part of a style sheet that depends on the record. */
type CssWriter = (root: Scope, run: Run) => string;

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

type Spot = CompiledSpot;

/** One margin box of an edge: from where to where it reaches, in px of the edge, and the text that it prints. */
interface EdgeBox {
  name: "left" | "center" | "right";
  from: number;
  to: number;
  spot: PlacedSpot | null;
}

interface PlacedSpot {
  spot: Spot;
  left: number;
  right: number;
}

/** Shares an edge between its texts: an edge has three boxes at most. Null when they cannot be shared so. */
function splitEdge(spots: readonly Spot[], width: number): EdgeBox[] | null {
  const [a, b, c, ...more] = spots
    .map((spot) => place(spot, width))
    .toSorted((one, other) => one.left - other.left);
  if (more.length > 0) return null;
  if (!a || !b)
    return [{ name: "center", from: 0, to: width, spot: a ?? null }];
  return c ? thirds(a, b, c, width) : halves(a, b, width);
}

function place(spot: Spot, width: number): PlacedSpot {
  const { left, right } = spot.extent;
  return { spot, left: resolve(left, width), right: resolve(right, width) };
}

function halves(a: PlacedSpot, b: PlacedSpot, width: number): EdgeBox[] | null {
  if (a.right > b.left) return null;
  const middle = (a.right + b.left) / 2;
  return [
    { name: "left", from: 0, to: middle, spot: a },
    { name: "right", from: middle, to: width, spot: b },
  ];
}

/** The middle box is always centered, so the outer ones are equally wide. */
function thirds(
  a: PlacedSpot,
  b: PlacedSpot,
  c: PlacedSpot,
  width: number,
): EdgeBox[] | null {
  const least = Math.max(a.right, width - c.left);
  const most = Math.min(b.left, width - b.right);
  if (least > most) return null;
  const outer = (least + most) / 2;
  return [
    { name: "left", from: 0, to: outer, spot: a },
    { name: "center", from: outer, to: width - outer, spot: b },
    { name: "right", from: width - outer, to: width, spot: c },
  ];
}
