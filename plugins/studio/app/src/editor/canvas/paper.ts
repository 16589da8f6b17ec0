import type { EditorDesign } from "../../../../../../core/plugin-api/app-drafts.js";
import type {
  Band,
  PageSetup,
} from "../../../../../../core/plugin-api/definition.js";
import { toPx } from "./to-px.js";

/** A sheet and its margins in CSS px. */
export interface Paper {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const a4 = [210, 297] as const;
const pxPerMm = 96 / 25.4;

/** The sheet of a document; what is no length yet is as if it were not there. */
export function paperOf(
  page: PageSetup = {},
  { paper: sizes, defaults }: Pick<EditorDesign, "paper" | "defaults">,
): Paper {
  const [width, height] = sizeOf(page, sizes);
  const { margin } = page;
  const given =
    typeof margin === "string"
      ? { top: margin, right: margin, bottom: margin, left: margin }
      : margin;
  const side = (name: keyof typeof defaults.pageMargin) =>
    toPx(given?.[name]) ?? toPx(defaults.pageMargin[name]) ?? 0;
  return {
    width: page.landscape ? height : width,
    height: page.landscape ? width : height,
    top: Math.max(side("top"), least(page.header), least(page.firstHeader)),
    right: side("right"),
    bottom: Math.max(
      side("bottom"),
      least(page.footer),
      least(page.firstFooter),
    ),
    left: side("left"),
  };
}

function sizeOf(
  { size = "A4", width, height }: PageSetup,
  sizes: EditorDesign["paper"],
): readonly [number, number] {
  const [wide, high] = sizes[size] ?? a4;
  const upright = [wide * pxPerMm, high * pxPerMm] as const;
  if (size !== "Custom") return upright;
  return [toPx(width) ?? upright[0], toPx(height) ?? upright[1]];
}

/** The height that a header or footer asks for. */
function least(band: Band | undefined): number {
  if (band === undefined || Array.isArray(band)) return 0;
  return toPx(band.height) ?? 0;
}
