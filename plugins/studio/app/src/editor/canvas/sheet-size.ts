import type {
  EditorDesign,
  DesignEmail,
} from "../../../../../../core/plugin-api/app-drafts.js";
import type {
  Band,
  PageSetup,
} from "../../../../../../core/plugin-api/definition.js";

/** The size of a sheet and its margins, in CSS px. */
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

/** The sheet of a document; invalid lengths are ignored. */
export function getPaper(
  page: PageSetup = {},
  { paper: sizes, defaults }: Pick<EditorDesign, "paper" | "defaults">,
): Paper {
  const [width, height] = getPaperSize(page, sizes);
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
    top: Math.max(
      side("top"),
      getMinHeight(page.header),
      getMinHeight(page.firstHeader),
    ),
    right: side("right"),
    bottom: Math.max(
      side("bottom"),
      getMinHeight(page.footer),
      getMinHeight(page.firstFooter),
    ),
    left: side("left"),
  };
}

/** Less than this is invisible, and heights on the screen are whole px. */
const MAX_CROPPED_PX = 0.5;

/** Enlarges the margins that are smaller than their header or footer, as printing does. */
export function enlargeMargins(
  paper: Paper,
  { header, footer }: { header: number; footer: number },
): Paper {
  return {
    ...paper,
    top: enlarge(paper.top, header),
    bottom: enlarge(paper.bottom, footer),
  };
}

function enlarge(margin: number, height: number): number {
  return height > margin + MAX_CROPPED_PX ? height : margin;
}

function getPaperSize(
  { size = "A4", width, height }: PageSetup,
  sizes: EditorDesign["paper"],
): readonly [number, number] {
  const [wide, high] = sizes[size] ?? a4;
  const upright = [wide * pxPerMm, high * pxPerMm] as const;
  if (size !== "Custom") return upright;
  return [toPx(width) ?? upright[0], toPx(height) ?? upright[1]];
}

/** The minimum height of a header or footer. */
function getMinHeight(band: Band | undefined): number {
  if (band === undefined || Array.isArray(band)) return 0;
  return toPx(band.height) ?? 0;
}

const pxPerUnit: ReadonlyMap<string, number> = new Map([
  ["px", 1],
  ["pt", 96 / 72],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
]);

/** Converts an absolute length to CSS px, 96 to the inch; null for a relative or invalid length. */
export function toPx(length: string | undefined): number | null {
  const text = length?.trim() ?? "";
  if (text === "0") return 0;
  const [, number, unit = ""] = /^(-?[\d.]+)([a-z]+)$/.exec(text) ?? [];
  const factor = pxPerUnit.get(unit);
  return factor === undefined ? null : Number(number) * factor;
}

export const PHONE_WIDTH = 375;

/** The width of an email with its background, in CSS px. */
export function getEmailWidth(
  width: number | undefined,
  isPhone: boolean,
  usual: DesignEmail,
): number {
  return isPhone ? PHONE_WIDTH : (width ?? usual.width) + 2 * usual.ground;
}
